/** What the glass has room for. */
import { MediaQuery } from 'svelte/reactivity';

/** Too narrow for a panel beside the map: it is a sheet over the map's foot. A low glass held sideways keeps its panel.
 *
 * The styles of the components say the same, for a query cannot be named in CSS.
 */
export const sheeted = new MediaQuery('(max-width: 599px), ((max-width: 999px) and (min-height: 501px))');

/** Too low for a head that tells how the game stands. */
export const low = new MediaQuery('(max-height: 500px)');

/** What points at the glass is no finer than a finger. */
export const fingers = new MediaQuery('(pointer: coarse)');

/** Whether a click is a finger's; browsers that do not say what has clicked are judged by the glass. */
export const byFinger = (click: MouseEvent): boolean =>
  'pointerType' in click ? click.pointerType === 'touch' : fingers.current;
