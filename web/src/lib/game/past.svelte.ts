/** Looking back: the moment of the game that is on the table instead of now. */
import type { Game } from '../game.svelte';
import { momentOfEvent, momentOfHash } from '../past';
import type { CoursePoint, MomentAnswer, MomentInfo, Side } from '../protocol';

export class Past {
  /** The moment that is looked back at; null: now. */
  moment = $state.raw<MomentAnswer | null>(null);
  moments = $state.raw<MomentInfo[]>([]);
  private wanted: { n: number; as: Side | null } | null = null;
  private looking = false;

  constructor(private readonly game: Game) {}

  /** Looks at a moment; of several that are wanted while the server thinks, only at the last. */
  async lookAt(n: number, as: Side | null = this.moment?.side ?? null): Promise<void> {
    this.wanted = { n, as };
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.wanted) await this.lookAtWanted();
    } finally {
      this.looking = false;
    }
  }

  private async lookAtWanted(): Promise<void> {
    const asked = this.wanted!;
    const seat = this.game.seat;
    const as = asked.as !== null && this.game.table?.result ? { side: asked.as } : {};
    const answer = await this.game.ask<MomentAnswer>({ type: 'moment', n: asked.n, ...as });
    if (answer && answer.last + 1 !== this.moments.length) await this.readMoments();
    // Meanwhile the player may have gone back to now, or on to another moment.
    if (this.wanted !== asked) return;
    this.wanted = null;
    if (!answer || seat !== this.game.seat) return;
    if (!this.moment) {
      this.game.fresh();
      this.game.clicks.made = [];
      this.game.reach.forget();
      this.game.los.tool = null;
      this.game.saying = null;
    }
    this.moment = answer;
    this.game.lit = new Set(this.game.log[answer.log - 1]?.places ?? []);
  }

  /** How the finished game went; null where the server cannot tell. */
  async course(): Promise<readonly CoursePoint[] | null> {
    await this.readMoments();
    return (await this.game.ask<{ points: CoursePoint[] }>({ type: 'curve' }))?.points ?? null;
  }

  private async readMoments(): Promise<void> {
    const answer = await this.game.ask<{ moments: MomentInfo[] }>({ type: 'moments' });
    if (answer) this.moments = answer.moments;
  }

  /** One moment back or forth; beyond the last lies now. */
  async step(step: 1 | -1): Promise<void> {
    if (!this.moment) await this.readMoments();
    const last = this.moments.length - 1;
    const n = (this.wanted?.n ?? this.moment?.n ?? last) + step;
    if (n >= last && step > 0) this.toNow();
    else await this.lookAt(Math.max(0, n));
  }

  async lookAtEvent(entry: number): Promise<void> {
    await this.readMoments();
    await this.lookAt(momentOfEvent(this.moments, entry));
  }

  toNow(): void {
    this.leave();
    this.game.fresh();
  }

  leave(): void {
    this.wanted = null;
    this.moment = null;
    this.game.lit = new Set();
  }

  lookWhereTheAddressSays(): void {
    const n = momentOfHash(location.hash);
    if (n !== null) void this.lookAt(n);
    else if (this.game.isRecord && !this.moment) void this.lookAt(0);
  }
}
