/** As long as this many milliseconds a table has to be there until a press in quick succession means it. */
export const READ_MS = 250;

interface Press {
  type: string;
  detail?: number;
  repeat?: boolean;
  pointerType?: string;
  timeStamp?: number;
}

/** What a press decides on. The second press of a double click and the repeats of a held key belong to the first
 * press: nobody has looked at the table in between, so they are made on the position that was there at the first. */
export class Presses {
  private first: number | null = null;
  private came = 0;
  private held: number | null = null;
  private repeating = false;
  private touched = false;
  private quick = false;

  /** `now` is the number of the position on the table, null while no table is shown. */
  constructor(private readonly now: () => number | null) {}

  /** The number of the position that the present press was made on. */
  get position(): number | null {
    return this.held ?? this.now();
  }

  /** Whether the present press is a double click's second, whatever has come of the first. */
  get again(): boolean {
    return this.quick;
  }

  /** Takes note of another table: `at` is the time on the clock of the page's events. */
  arrived(at: number): void {
    this.came = at;
  }

  /** Takes note of a press before anything is done about it: `detail` counts the clicks in quick succession. */
  heard(event: Press): void {
    const { type, repeat, detail = 0 } = event;
    if (type === 'pointerdown') this.touched = event.pointerType === 'touch';
    if (type === 'mousedown' || type === 'click') {
      this.quick = detail > 1 && !this.touched;
      if (this.follows(event)) this.held = this.first;
      // A key that is held on a button clicks it again and again.
      else if (!this.repeating) this.begin();
    } else if (type === 'keydown') {
      this.quick = repeat ?? false;
      this.repeating = repeat ?? false;
      if (this.repeating) this.held = this.first;
      else this.begin();
    } else {
      this.repeating = false;
      this.held = null;
    }
  }

  /** Whether a press belongs to the one before it. Taps of a thumb that moves on to the next button count as one double
   * tap: each is a press. A click is what the mouse going down was. */
  private follows({ type, detail = 0, timeStamp = 0 }: Press): boolean {
    if (detail < 2 || this.touched) return false;
    return (type === 'click' && this.held !== null) || timeStamp - this.came < READ_MS;
  }

  private begin(): void {
    this.first = this.now();
    this.held = null;
  }
}
