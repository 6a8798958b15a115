/** What the glass has room for. */
import { MediaQuery } from 'svelte/reactivity';

/** Too narrow for a panel beside the map. */
export const sheeted = new MediaQuery('(max-width: 760px)');
