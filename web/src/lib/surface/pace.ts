/** The pace of questions while a pointer moves: at most ten a second, whoever asks. */

/** The least time between two questions. */
const PAUSE_MS = 100;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The same question, asked no sooner than a pause after the one before; questions keep their order. */
export function paced<Question extends unknown[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  let asked = -Infinity;
  let turn = Promise.resolve();
  /** A timer may be late or early: the next pause begins when the question was asked. */
  async function pause() {
    const wait = () => asked + PAUSE_MS - performance.now();
    while (wait() > 0) await sleep(Math.ceil(wait()));
    asked = performance.now();
  }
  return (...question) => {
    turn = turn.then(pause);
    return turn.then(() => ask(...question));
  };
}
