/** The pace of questions while a pointer moves: at most ten a second, whoever asks. */

/** The least time between two questions. */
const PAUSE_MS = 100;

/** The same question, asked no sooner than a pause after the one before; questions keep their order. */
export function paced<Question extends unknown[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  let free = 0;
  return async (...question) => {
    const now = performance.now();
    const turn = Math.max(now, free);
    free = turn + PAUSE_MS;
    if (turn > now) await new Promise((resolve) => setTimeout(resolve, Math.ceil(turn - now)));
    return ask(...question);
  };
}
