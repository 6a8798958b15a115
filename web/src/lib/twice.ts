/** A key that is to be pressed twice: the first press only says what the second does. */
export class Twice {
  private last = -Infinity;

  /** Between the two presses at most so many milliseconds pass. */
  constructor(private readonly within: number) {}

  /** Takes note of a press, at a time in milliseconds; says whether it is the second of two. */
  press(at: number): boolean {
    const second = at - this.last <= this.within;
    this.last = second ? -Infinity : at;
    return second;
  }
}
