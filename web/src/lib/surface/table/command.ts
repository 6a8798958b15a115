/** Command as it can be measured on the table: which post leads a stand at a point, and how far off it is. */
import type { Game } from '../../game.svelte';
import type { UnitId, View } from '../../protocol';
import { spotOf, type Spot } from '../places';

const INCH = 1000;

export interface Lead {
  post: UnitId;
  /** Where the post is, or would be. */
  at: Spot;
  inches: number;
  within: boolean;
}

export interface Commands {
  inches: number;
  posts: { id: UnitId; at: Spot }[];
  /** Those that need a post. */
  led: { id: UnitId; at: Spot }[];
}

/** The posts of a side that lead now; one that is being moved is where it would go. */
export function commandsOf(
  view: View | null,
  side: string,
  moved: ReadonlyMap<UnitId, Spot>,
): Commands | null {
  const command = view?.command?.[side];
  if (!view || !command) return null;
  const places = new Map(view.units.map((unit) => [unit.id, unit.place && spotOf(unit.place)]));
  const placed = (ids: readonly UnitId[]) =>
    ids.flatMap((id) => {
      const at = moved.get(id) ?? places.get(id);
      return at ? [{ id, at }] : [];
    });
  return { inches: command.inches, posts: placed(command.posts), led: placed(command.led) };
}

/** The nearest post, which leads the stand if any does; null where a side has none left that could. */
export function leadOf(at: Spot, { posts, inches }: Commands): Lead | null {
  const all = posts.map((post) => {
    const square = (post.at[0] - at[0]) ** 2 + (post.at[1] - at[1]) ** 2;
    const within = square <= (inches * INCH) ** 2;
    return { post: post.id, at: post.at, inches: Math.sqrt(square) / INCH, within };
  });
  return all.reduce<Lead | null>((best, one) => (best && best.inches <= one.inches ? best : one), null);
}

export interface Link {
  unit: UnitId;
  from: Spot;
  to: Spot;
  within: boolean;
}

/** What is drawn of command: circles of posts, and lines to those that they lead or no longer reach. */
export interface Drawn {
  inches: number;
  shown: { id: UnitId; at: Spot }[];
  links: Link[];
}

/** Of the stand that is chosen, or whose rings lie there: a post shows all whom it leads, others their post. */
export function commandOf(game: Game): Drawn | null {
  if (!game.ground?.measures) return null;
  const chosen = game.clicks.made.flatMap((token) => ('unit' in token ? [token.unit] : []))[0];
  const unit = game.units.get(game.rings.of ?? chosen ?? '');
  if (!unit) return null;
  const { ghost } = game.stand;
  const led = ghost?.moved && !ghost.template ? [[ghost.unit.id, ghost.at] as const] : [];
  const commands = commandsOf(game.view, unit.side, new Map(led));
  if (!commands) return null;
  const post = commands.posts.find(({ id }) => id === unit.id);
  if (post) return { inches: commands.inches, shown: [post], links: linksOf(post.id, commands) };
  const stand = commands.led.find(({ id }) => id === unit.id);
  const lead = stand && leadOf(stand.at, commands);
  if (!lead) return null;
  const link = { unit: unit.id, from: lead.at, to: stand.at, within: lead.within };
  return { inches: commands.inches, shown: [{ id: lead.post, at: lead.at }], links: [link] };
}

/** Lines from a post to all that it leads, and to those that nobody leads and it comes nearest to. */
function linksOf(post: UnitId, commands: Commands): Link[] {
  const own = commands.posts.filter(({ id }) => id === post);
  return commands.led.flatMap(({ id, at }) => {
    const lead = leadOf(at, { ...commands, posts: own });
    const any = leadOf(at, commands);
    if (!lead || !(lead.within || (any?.post === post && !any.within))) return [];
    return [{ unit: id, from: lead.at, to: at, within: lead.within }];
  });
}
