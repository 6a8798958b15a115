/** Calculations of choices: asked for before a decision, and shown. */
import type { Game } from '../game.svelte';
import * as narrow from '../narrow';
import type { Calculation, Choice, Drift, PreviewAnswer, UnitId } from '../protocol';
import type { Ghost } from '../surface/ghost.svelte';

export interface Previewed {
  choice: Pick<Choice, 'action' | 'label'>;
  calculation: Calculation | null;
  cases: { if: string; calculation: Calculation }[];
  text: string;
  spread: Drift[];
}

/** A choice with what the server has told of it. */
const previewedOf = (
  choice: Previewed['choice'],
  { calculation, cases = [], text, spread = [] }: PreviewAnswer,
): Previewed => ({ choice, calculation, cases, text, spread });

export class Calculations {
  /** What is about to be done. */
  previewed = $state.raw<Previewed | null>(null);
  /** What the button under the pointer would do: shown where it moves no button. */
  beside = $state.raw<Previewed | null>(null);
  /** What the template in hand would do where it lies. */
  aimed = $state.raw<Previewed | null>(null);
  readonly known = new Map<string, Promise<PreviewAnswer>>();

  constructor(private readonly game: Game) {}

  /** The calculation on show: of what is about to be done, or of what has been put together so far. */
  shown = $derived.by(() => {
    const built = this.game.view?.building?.calculation ?? null;
    const offered = this.previewed?.calculation ?? null;
    return this.game.clicks.made.length > 0 || this.game.clicks.held || this.game.offer.reaction
      ? (offered ?? built)
      : (built ?? offered);
  });

  /** The calculation of a choice, asked for once a position. */
  of(choice: Pick<Choice, 'action'>): Promise<PreviewAnswer> {
    const key = narrow.keyOf(choice);
    const known = this.known.get(key);
    if (known) return known;
    const asked =
      this.game.seat?.socket.ask<PreviewAnswer>({ type: 'preview', action: choice.action }).catch(() => ({
        calculation: null,
        text: '',
      })) ?? Promise.resolve({ calculation: null, text: '' });
    this.known.set(key, asked);
    return asked;
  }

  /** Another position: what was known of the last one holds no more. */
  forget(): void {
    this.previewed = null;
    this.beside = null;
    this.aimed = null;
    this.known.clear();
  }

  preview(choice: Choice): void {
    const { position } = this.game;
    void this.of(choice).then((answer) => {
      if (this.game.position === position) this.previewed = previewedOf(choice, answer);
    });
  }

  /** Previews a choice whose button is pointed at. */
  previewBeside(choice: Choice): void {
    const { position } = this.game;
    void this.of(choice).then((answer) => {
      if (this.game.position !== position) return;
      const found = previewedOf(choice, answer);
      this.beside = this.isKnown(found) ? null : found;
    });
  }

  /** Shows what comes of a choice before it is made; says whether there was anything that is not on show yet.
   *
   * That is for fingers: they point at no button before they press it.
   */
  async tellsFirst(choice: Choice): Promise<boolean> {
    const { position } = this.game;
    const found = previewedOf(choice, await this.of(choice));
    // The button of an answer to the enemy bears its chances itself.
    const onButton = this.game.offer.reaction && !narrow.isStanding(choice) && found.calculation !== null;
    if (this.game.position !== position || onButton || this.isKnown(found)) return false;
    this.previewed = found;
    this.beside = null;
    return true;
  }

  /** Whether all that is rolled for a choice is on show, or nothing is rolled. */
  private isKnown({ choice, calculation, cases, spread }: Previewed): boolean {
    const isOnShow = calculation === null || JSON.stringify(calculation) === JSON.stringify(this.shown);
    return isOnShow && (this.previewed?.choice === choice || (cases.length === 0 && spread.length === 0));
  }

  /** Previews a template where it lies; nothing while it is in nobody's hand, or the rules refuse it there. */
  async aim(ghost: Ghost | null): Promise<void> {
    if (!ghost?.template || !ghost.moved || ghost.price?.text) return void (this.aimed = null);
    // Until it is known what holds there, what held a moment ago stays: the panel does not flicker below the pointer.
    if (!ghost.price) return;
    const choice = { action: ghost.legs[0], label: ghost.region.label };
    const key = narrow.keyOf(choice);
    const answer = await this.of(choice);
    const isThere = this.game.stand.ghost === ghost && narrow.keyOf({ action: ghost.legs[0] }) === key;
    if (isThere) this.aimed = previewedOf(choice, answer);
  }

  /** What a click on a unit would do, shown while the pointer is on it. */
  hoverUnit(id: UnitId | null): void {
    if (id === null) {
      if (this.previewed && !this.game.clicks.left.some((one) => one === this.previewed?.choice))
        this.previewed = null;
      return;
    }
    const left = narrow.candidates(this.game.offer.choices, [...this.game.clicks.made, { unit: id }]);
    if (this.game.clicks.made.length > 0 && left.length === 1 && left[0] && left[0].kind !== 'move')
      this.preview(left[0]);
  }
}
