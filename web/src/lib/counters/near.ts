/** A counter that is as wide as this on the screen (pixels) tells more: its whole name, its kind and its other values. */
export const NEAR_PX = 132;

const STEP_PX = 12;

/** A size for the choice of letters: in steps, so that not every step of a zoom chooses and draws them anew. */
export const legible = (px: number): number => Math.min(2 * NEAR_PX, Math.max(STEP_PX, px - (px % STEP_PX)));
