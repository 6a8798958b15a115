/** A counter that is as wide as this on the screen (pixels) tells more: its whole name, its kind and its other values. */
export const NEAR_PX = 132;
