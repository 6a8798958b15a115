/** What the browser and the server say to each other; see docs/protocol.md. */

export type Side = string;
export type UnitId = string;
/** Where something is: the printed name of a hex, or a point of the free table as text in inches. */
export type Place = string;

export interface SideInfo {
  id: Side;
  name: string;
  units: number;
  /** The players among whom the scenario can divide the side. */
  players?: string[];
}

export interface ScenarioInfo {
  id: string;
  ruleset: string;
  title: string;
  summary: string;
  turns: number;
  /** 1 for a first game of its rulebook, 3 for players who know it all. */
  difficulty: 1 | 2 | 3;
  themes: string[];
  sides: SideInfo[];
  boards: unknown[];
  /** The share of wins of each side in per cent, with the games in which it was measured; null if it was not. */
  balance: (Record<Side, unknown> & { measured?: { games: number; draws: number } }) | null;
}

export type Words =
  | string
  | { id?: string; title?: string; name?: string; text?: string; rule?: string; side?: Side; on?: boolean };

export interface ScenarioDetail extends ScenarioInfo {
  /** The language of the victory lines and of the map's words. */
  language?: string;
  history?: string;
  victory?: VictoryLine[];
  /** The leads that make a victory marginal, and decisive. */
  levels?: { marginal: number; decisive: number } | null;
  options?: Words[];
  map?: MapData;
}

export interface PlayerInfo {
  id: string;
  title: string;
}

export interface NewGame {
  game: string;
  seats: Record<string, string>;
  host?: string;
  commitment?: string;
}

/** A seat that a new game is to have. */
export interface NewSeat {
  side: Side;
  player: string;
}

/** A seat, and whether it has added to the dice. */
export interface SeatInfo {
  seat: string;
  side: Side;
  human: boolean;
  player: string;
  come: boolean;
}

/** Before a game begins. */
export interface WaitingMessage {
  type: 'waiting';
  seat: string;
  side: Side | null;
  title: string;
  sides: { id: Side; name: string }[];
  commitment: string;
  seats: SeatInfo[];
}

export interface RuleInfo {
  rule: string;
  title: string;
  statement: string;
  kind: string;
  level: string;
  status: string;
}

/** A stand or aircraft that a force can buy; `part` is the list of the force into which it goes. */
export interface Offer {
  id: string;
  nation: string;
  kind: string;
  name: string;
  points: number;
  years: string;
  buyers: string[];
  values: Record<string, string>;
  part: string;
  vehicle: boolean;
  armoured: boolean;
}

export interface OfferPage {
  found: number;
  from: number;
  offers: Offer[];
}

/** A field of a force; `key` is its path in the file, as in works.wire. */
export interface ForceField {
  key: string;
  label: string;
  kind: 'words' | 'number' | 'month' | 'choice' | 'several' | 'yes';
  group: string;
  least: number;
  most: number;
  begin: string | number | null;
  choices: { value: string; label: string }[];
}

export interface ForcePart {
  key: string;
  title: string;
  id: string;
  fields: ForceField[];
}

export interface ForceForm {
  fields: ForceField[];
  formation: ForceField[];
  stands: ForcePart;
  others: ForcePart[];
}

/** A rulebook by its own title. */
export interface Rulebook {
  ruleset: string;
  title: string;
}

export interface ForceDesigner {
  ruleset: string;
  nations: string[];
  kinds: string[];
  form: ForceForm;
}

export interface ForceStep {
  label: string;
  points: number;
  rule: string;
}

export interface ForceReport {
  title: string;
  allowance: ForceStep[];
  bill: {
    formation: string;
    count: number;
    name: string;
    each: number;
    points: number;
    steps: ForceStep[];
  }[];
  points: number;
  unused: number;
  figures: Record<string, number>;
  faults: { where: string; what: string; rule: string }[];
}

export type Link = '' | 'road' | 'highway' | 'track' | 'path';

export interface MapHex {
  name: Place;
  q: number;
  r: number;
  board: string;
  playable: boolean;
  terrain: string[];
  level: number;
  label: string;
  /** The label as it stands within a sentence, where that is another. */
  within?: string;
  sides: string[][];
  links: Link[];
  gully: boolean[];
  bridge: string;
  ford: boolean;
  storeys?: number;
}

/** What the picture of a map shows beyond its rules: no rule reads it. */
export interface MapDrawing {
  /** From one side of a hex to the other. */
  metres?: number;
  churches?: Place[];
  /** Hexes whose gully carries no water. */
  dry?: Place[];
  names?: { text: string; along: Place[]; kind: 'water' | 'woods' | 'land' | 'hill' }[];
}

/** A map of hexes. */
export interface HexData {
  space: 'hexes';
  id: string;
  orientation: string;
  hexes: MapHex[];
  boards: { id: string; number: string; title: string; turned: boolean }[];
  /** What only the picture needs. */
  drawing?: MapDrawing;
}

/** A free table: its size and the diameter of a base in 1/1000 inch. */
export interface TableData {
  space: 'table';
  id: string;
  title: string;
  size: [number, number];
  base: number;
  /** False where players guess distances. */
  measuring?: boolean;
  /** What an inch stands for, where the book says that. */
  metres?: number;
  /** From the ground up. */
  terrain?: TableFeature[];
}

type Ring = [number, number][];

/** One wood, hill contour, road, bridge or house. */
export interface TableFeature {
  id: string;
  kind: string;
  name: string;
  shape: 'contour' | 'area' | 'line' | 'crossing' | 'building';
  look: string;
  /** The name that the author of the table gave it. */
  called?: string;
  /** That name as it stands within a sentence, where that is another. */
  within?: string;
  level?: number;
  floors?: number;
  /** In 1/1000 inch; a line without one is crossed. */
  width?: number;
  /** The course of a line or a crossing. */
  way?: Ring;
  /** Each a list of rings: its border, then its holes. */
  polygons: Ring[][];
}

/** An edge of a free table. */
export type Edge = 'north' | 'east' | 'south' | 'west';

export type MapData = (HexData | TableData) & {
  counters?: CounterLooks;
  results?: Record<string, string>;
  reaction?: string;
  asks?: string[];
};

export type FigureSpot = 'top-left' | 'top' | 'top-right' | 'left' | 'centre' | 'foot';
export type FigureTone = 'plain' | 'small' | 'large' | 'huge' | 'white' | 'red' | 'armor';
export type BadgeForm = 'alarm' | 'stop' | 'eye' | 'tag';

export interface Livery {
  paper: string;
  band: string;
  ink: string;
  edge: string;
}

export interface MarkerLook {
  shape: string;
  /** Around the counters of a place, along their foot, along their head and above them, or below them on the ground. */
  lie: 'around' | 'foot' | 'head' | 'ground';
}

/** A ruleset's description of its counters: figures and markers by kind, colours by nation, badges by code. */
export interface CounterLooks {
  figures: Record<string, { title: string; at: FigureSpot; tone: FigureTone }>;
  markers: Record<string, MarkerLook>;
  liveries: Record<string, Livery>;
  badges: Record<string, BadgeForm>;
  short: Record<string, string>;
  /** A stand on the free table: a disc if nothing is said, or a square that turns with the facing. */
  base?: 'disc' | 'square';
  /** By posture: the outline of a card on a square base, and a word. */
  stances?: Record<string, Stance>;
}

export interface Stance {
  outline: 'arrow' | 'clipped';
  word: string;
}

export type Action = { type: string } & Record<string, unknown>;

export interface Choice {
  action: Action;
  label: string;
  kind: string;
  units: UnitId[];
  places: Place[];
  cost: number | string | null;
  confirm: boolean;
  /** What follows, where the label leaves that open. */
  later?: string;
}

export interface CalculationLine {
  label: string;
  value: string;
  rule: string;
  kind: string;
}

export interface Chance {
  result: string;
  chance: string;
}

export interface Calculation {
  title: string;
  rule: string;
  lines: CalculationLine[];
  column: string;
  modifier: number;
  dice: string;
  chances: Chance[];
  rolled: number[] | null;
  result: string | null;
}

export interface GameEvent {
  n: number;
  turn: number;
  side: Side | null;
  step: string;
  kind: string;
  text: string;
  rule: string | null;
  units: UnitId[];
  places: Place[];
  dice: number[];
  calculation: Calculation | null;
  /** Of a shot, in mm, where the rules know the gun. */
  calibre?: number;
  /** What a shot strikes with, in words, where its firer has more than one strength. */
  strength?: string;
}

export interface TrackStep {
  id: string;
  title: string;
  rule: string;
  now: boolean;
}

export interface ViewSide {
  id: Side;
  name: string;
  nation: string;
  first: boolean;
}

export interface Badge {
  code: string;
  text: string;
}

/** What a counter prints where four figures are not enough: its kind (direct, at, armor…) and its text. */
export interface Figure {
  kind: string;
  text: string;
}

export interface Unit {
  id: UnitId;
  side: Side;
  nation: string;
  name: string;
  type: string;
  /** Its type and its name in English, whatever the language: they choose its picture. */
  sort?: string;
  model?: string;
  place: Place | null;
  /** Of a stand on the free table: where it is, in words. */
  where?: string;
  /** Of a stand on the free table: whole degrees, 0 to the north, clockwise. */
  facing?: number;
  /** Of a unit whose turret turns by itself: where that points, in whole degrees, 0 to the north, clockwise. */
  turret?: number;
  /** Of a stand that fires within an arc only: the degrees of it to either side of its facing. */
  arc?: number | null;
  order: number;
  attack: number;
  weapon: string;
  range: number;
  doubles: boolean;
  defence: number;
  movement: number;
  size: string;
  points: number;
  vehicle: boolean;
  armoured: boolean;
  face_up?: boolean;
  dispersed: string;
  spotted: string;
  moved: boolean;
  fired: boolean;
  carrier: UnitId | null;
  cargo: UnitId[];
  below: string;
  status: string;
  badges: Badge[];
  figures?: Figure[];
  /** The order that it has; nulls where it lies face down for this seat. */
  mark?: UnitMark | null;
  rank?: string;
  /** Its formation by name, and of a divided side the player who has it, where the seat is told. */
  formation?: string;
  player?: string;
  /** Of a stand that takes postures. */
  posture?: string;
  steps?: number;
  /** Morale as it counts now, and as it is printed for full and reduced strength. */
  morale?: number;
  printed?: string;
  state?: string;
  /** Of a unit that cannot move by itself: what it may be activated for instead, in words. */
  work?: string;
}

export type MarkPicture = 'fire' | 'move' | 'halt' | 'watch' | 'none' | 'plate';

/** The marker of a written order. */
export interface OrderMark {
  title: string;
  code: string;
  picture: MarkPicture;
}

export interface UnitMark {
  title: string | null;
  code: string | null;
  picture: MarkPicture | null;
  /** Every side knows it. */
  open: boolean;
}

/** An order that can be written for a unit. */
export interface WrittenOrder {
  action: Action;
  label: string;
  mark: OrderMark;
  /** The unit whose order it shares. */
  leader: UnitId | null;
}

/** The orders that the seat's side is writing. */
export interface Sheet {
  units: UnitId[];
  orders: Record<UnitId, WrittenOrder>;
  can: Record<UnitId, WrittenOrder[]>;
  /** Those of the sheet before that can be written again. */
  last: Record<UnitId, WrittenOrder>;
  tallies: { title: string; used: number; most: number; rule: string }[];
  ties: { start: UnitId; to: UnitId; title: string; rule: string }[];
  /** Why it cannot be handed in as it is. */
  bad: { text: string; rule: string } | null;
}

export interface Marker {
  id: string;
  kind: string;
  place: Place;
  text: string;
  value: string;
  side: Side | null;
  /** Of a marker on the free table: whole degrees, 0 to the north, clockwise. */
  facing?: number;
  /** Of what covers ground on the free table: its corners, in 1/1000 inch. */
  ring?: [number, number][];
  /** The line of the plot sheet that it pictures. */
  plot?: string;
}

/** Indirect fire that is declared and has not fallen yet, with its chances against each target as things stand. */
export interface Mission {
  place: Place;
  units: UnitId[];
  text: string;
  /** What else it brings, or '' for nothing. */
  note?: string;
  /** The note of a target tells why there is no calculation. */
  targets: { units: UnitId[]; calculation: Calculation | null; note?: string }[];
}

/** A line of the plot sheet. */
export interface PlotLine {
  id: string;
  side: Side;
  title: string;
  /** Its place as the book writes it. */
  written: string;
  when: string;
  what: string;
  /** Who plotted or called it, and in which turn. */
  by?: string;
  rule: string;
}

/** A formation: its cohesion, its losses, and how near its force is to breaking. */
export interface FormationState {
  id: string;
  side: Side;
  name: string;
  cohesion: number;
  rule: string;
  units: UnitId[];
  lost: UnitId[];
  /** The cards drawn for its losses and their total, null where this seat does not know it; null if none breaks. */
  breaking: {
    force: string;
    cards: number;
    have: number | null;
    most: number;
    broken: boolean;
    rule: string;
  } | null;
}

/** An aircraft over the table or to come; `arrives` is 0 where this seat does not know when. */
export interface PlaneState {
  id: string;
  side: Side;
  name: string;
  arrives: number;
  overhead: boolean;
  strafed: boolean;
  loads: number;
  cancelled: boolean;
  /** Where it attacks in this turn, and how; null until that is announced, and when it is over. */
  strikes?: { place: Place; text: string; rule: string } | null;
}

export interface Building {
  kind: string;
  place: Place | null;
  units: UnitId[];
  targets: UnitId[];
  calculation: Calculation | null;
}

export interface Reinforcement {
  side: Side;
  turn: number;
  units: UnitId[];
  where: string;
}

export interface VictoryLine {
  side: Side;
  /** Control of places, units that leave by places, units that are lost, or a decision that is met or not. */
  kind?: 'control' | 'exit' | 'eliminate' | 'decision';
  text: string;
  have: number | null;
  want: number | null;
  points: number | null;
  /** The points of one place, or of one `unit` that leaves or is lost. */
  each?: number;
  unit?: string;
  places?: Place[];
  /** A place of the free table is held by stands that are at most this far off, in 1/1000 inch. */
  near?: number;
  only?: string[];
  except?: string[];
  /** All that counts now: a place, or the id of a unit, with its points. */
  counted?: { what: string; points: number }[];
}

/** Who wins, and how; nobody in a draw. */
export interface Verdict {
  winner: Side | null;
  level: string;
}

export interface Light {
  kind: 'night' | 'dusk' | 'haze';
  range: number;
  rule: string;
  lit: Place[];
}

export interface View {
  ruleset: string;
  scenario: string;
  title: string;
  turn: number;
  turns: number;
  current: Side | null;
  track: TrackStep[];
  /** Each side goes through the whole track in its own part of the turn. */
  each_side?: boolean;
  sides: ViewSide[];
  units: Unit[];
  markers: Marker[];
  overrun: unknown;
  building: Building | null;
  missions?: Mission[];
  reinforcements: Reinforcement[];
  victory: VictoryLine[];
  scores: Record<Side, number>;
  /** The points that no move can take away. */
  banked?: Record<Side, number>;
  standing: string;
  /** The end of the game if it ended now, and what each side lacks for its next better level: points, or in words. */
  now?: Verdict;
  gaps?: (Verdict & { side: Side; points?: number; lacks?: string })[];
  /** The units that each side has lost, where these decide and no points do. */
  fallen?: Record<Side, number>;
  /** The leads that make a victory marginal, and decisive. */
  levels?: { marginal: number; decisive: number };
  /** Who holds each objective. */
  control?: Record<Place, Side>;
  losses: Record<Side, number>;
  options: string[];
  /** Command posts of each side: how far they lead, which do now, and whom; null for a side without any. */
  command?: Record<Side, { inches: number; posts: UnitId[]; led: UnitId[] } | null>;
  /** The edge of the free table at which the seat's player sits, where coordinates are written from its left corner. */
  edge?: Edge;
  /** What limits sight in this turn: how far units in the open are seen, in hexes or inches, and the places lit up. */
  light?: Light;
  plots?: PlotLine[];
  formations?: FormationState[];
  planes?: PlaneState[];
  /** Own units that can do something at one word now. */
  together?: UnitId[];
  /** A chain of fire that answers fire: each target with the own units that may fire at it. */
  answers?: { target: UnitId; by: UnitId[] }[];
  segments?: { side: Side; now: boolean }[];
  armies?: Record<Side, Army>;
  sectors?: Sector[];
  activation?: Activation | null;
  /** Whom the activation that is being prepared reaches, and what each will do, as far as it was said. */
  designation?: Designation | null;
}

/** An activation that is being prepared. */
export interface Designation {
  units: UnitId[];
  roles: Record<UnitId, string>;
  /** The roles in which a unit could do nothing. */
  idle: Record<UnitId, string[]>;
  /** The roles that a designated unit may be given instead of its own. */
  changes: Record<UnitId, string[]>;
}

/** How a side stands where sides have initiative. */
export interface Army {
  initiative: number;
  losses: number;
  next_loss: number | null;
  segments: number;
  offboard: number[];
  aircraft: string[];
  banked: boolean;
}

/** A part of the map with commanders of its own, and how its turn stands. */
export interface Sector {
  name: string;
  commanders: Record<Side, string>;
  turn: 'waiting' | 'under way' | 'done';
  offboard: Record<Side, number[]>;
  aircraft: Record<Side, string[]>;
}

/** Who is active in this segment, for what, who is led by a leader, and who is done. */
export interface Activation {
  side: Side;
  roles: Record<UnitId, string>;
  led: UnitId[];
  done: UnitId[];
}

export interface Result {
  winner: Side | null;
  level: string;
  reason: string;
}

export interface TableMessage {
  type: 'table';
  seq: number;
  /** The number of the position, which every decision on it names. */
  position: number;
  seat: string | null;
  side: Side | null;
  asked: Side[];
  /** The language of the texts: the seat's, or English for a rulebook that is not translated. */
  language: string;
  prompt: {
    text: string;
    rule: string | null;
    step: string;
    together: boolean;
    /** Whether units are set up by the answer. */
    places: boolean;
    reaction: string;
  } | null;
  /** Those of no unit, and where few units can act those of all. */
  choices: Choice[];
  /** Units that can act. */
  actors: UnitId[];
  /** Every choice is among `choices`. */
  whole: boolean;
  /** The regions of no unit: places to be written down. */
  regions?: Region[];
  /** Where sides decide in turn until all have passed: the side on turn, and those that have passed. */
  alternation?: { side: Side; passed: Side[] } | null;
  /** Numbers that sides run down. */
  tracks?: Countdown[];
  /** Where orders are written. */
  sheet?: Sheet | null;
  undo: { can: boolean; count: number; barrier: string | null };
  thinking: Side | null;
  view: View;
  result: Result | null;
  draw_offered_by: Side | null;
  /** The seats of one's own side that want to end the game so; while there is a `change`, all seats. */
  votes?: Partial<Record<Vote, string[]>>;
  /** The place where the record and the present rules part: the game stands still there. */
  change?: { standing: number; line: number; text: string } | null;
  /** The seats of one's own side that have something to decide. */
  decides?: string[];
  /** An answer that comes at once could tell people on the other side something: nothing is answered by itself. */
  guarded?: boolean;
  /** Of the position that stands, where it gives nothing away. */
  digest?: string | null;
  log_length: number;
}

/** How many of something, such as its orders, a side has left. */
export interface Countdown {
  side: Side;
  title: string;
  left: number;
  rule: string;
}

/** What players can vote for: an end of the game; to go on, or not, when its rules have changed. */
export type Vote = 'concede' | 'draw' | 'resume' | 'stop';

export interface LogMessage {
  type: 'log';
  from: number;
  entries: GameEvent[];
}

export interface RefusedMessage {
  type: 'refused';
  re?: number;
  text: string;
  rule: string | null;
}

export type AnswerMessage = { type: 'answer'; re?: number } & Record<string, unknown>;

export type ServerMessage = WaitingMessage | TableMessage | LogMessage | RefusedMessage | AnswerMessage;

export interface Meant {
  label: string;
  text: string;
  rule: string | null;
}

export interface WhyAnswer {
  meant?: Meant[];
  text?: string | null;
  rule?: string | null;
}

/** A place to which the dice may carry what is aimed. */
export interface Drift {
  place: Place;
  chance: number;
}

export interface PreviewAnswer {
  calculation: Calculation | null;
  /** What the seat cannot know decides which of these it is. */
  cases?: { if: string; calculation: Calculation }[];
  text: string;
  /** What the player should know before playing it. */
  caution?: { text: string; rule: string } | null;
  spread?: Drift[];
}

export interface ReachPlace {
  place: Place;
  cost: number | string;
  left: number | string;
  path: Place[];
  steps: Action[];
  fire: UnitId[];
}

/** A point of the free table in reach: x, y, its cost in 1/1000, and the number of the node before it on the way. */
export type ReachNode = [number, number, number, number];

export interface ReachAnswer {
  places: ReachPlace[];
  /** The rule of the movement allowance that bounds them. */
  rule?: string | null;
  /** The rulebook's word for what a move on hexes costs, if that is not points. */
  counted?: 'factors';
  /** On the free table, the start first. */
  nodes?: ReachNode[];
  left?: number;
  unit?: string;
}

/** The armour of one face of a part against a shot from an angle. */
export interface Plate {
  part: 'turret' | 'hull';
  angle: 'front' | 'front side' | 'rear side' | 'rear';
  face: 'front' | 'side' | 'rear';
  title: string;
  value: number;
}

/** The penetration of a weapon by range bands, the nearest first. */
export interface Curve {
  title: string;
  rule: string;
  bands: { name: string; distance: number; penetration: number }[];
}

/** A place that one hit may strike: its chance, its armour, the chance of each effect. */
export interface CardSpot {
  title: string;
  chance: string;
  armor: number | null;
  effects: [string, string][];
}

/** A shot of one unit at another as they stand, and one hit by location. */
export interface Duel {
  firer: UnitId;
  target: UnitId;
  distance: number;
  band: string;
  angle: Plate['angle'] | null;
  penetration: number | null;
  shot: Calculation | null;
  spots: CardSpot[];
  spots_title: string;
  spots_rule: string;
  refusal: string;
  rule: string;
}

export interface Card {
  unit: UnitId;
  title: string;
  kind: string;
  facts: { title: string; value: string; rule: string }[];
  plates: Plate[];
  curves: Curve[];
  duels: Duel[];
}

/** What the map shows about a unit. */
export interface Overlay {
  areas: { kind: 'fire' | 'command'; title: string; places: Place[] }[];
  threads: { kind: 'spots' | 'spotted' | 'answers'; start: UnitId; to: UnitId; title: string }[];
  edges: { title: string; place: Place; directions: number[] }[];
}

/** One look over the own side: what could fire at each unit where it is, what it sees, and what sees it. */
export interface GlanceAnswer {
  units: { unit: UnitId; fire: UnitId[]; sees: UnitId[]; seen: UnitId[] }[];
}

/** Whom a leader's activation would reach, each with those through whom. */
export interface GroupAnswer {
  units: { unit: UnitId; by: UnitId[] }[];
  chain: UnitId[];
}

export interface LosAnswer {
  clear: boolean;
  text: string;
  rule: string | null;
  at: Place | null;
  profile: { place: Place; to?: [number, number]; level: number; terrain: string | string[] }[];
  /** On the free table: its length, and all that the line touches, in order. */
  inches?: number;
  crosses?: { name: string; kind: string; from: [number, number]; to: [number, number] }[];
  /** Each pair of levels, where a bridge leads over a gully at either end. */
  levels?: { from: Level; to: Level; clear: boolean; rule: string }[];
}

/** In a gully, on the bridge over it, or in a hex with one level only. */
export type Level = '' | 'gully' | 'bridge';

/** The hexes in sight, and those in which only a unit on the bridge is in sight. */
export interface InSight {
  places: Place[];
  bridges?: Place[];
}

export interface SeesAnswer extends InSight {
  /** What a unit on the bridge of the hex sees, if there is one. */
  from_bridge?: InSight | null;
  /** On the free table: the area in sight, a ring within a ring being a hole. */
  polygons?: [number, number][][];
  text?: string;
}

/** An offer with open fields: every action like `action` that the rules allow. */
export interface Region {
  action: Action;
  label: string;
  kind: string;
  unit: UnitId;
  open: string[];
  /** Least x, least y, greatest x, greatest y, in 1/1000 inch. */
  box: [number, number, number, number];
  polygons: [number, number][][];
  /** Of an action that lays a template: its size across the facing and along it, in 1/1000 inch. */
  template?: [number, number] | null;
}

export interface ChoicesAnswer {
  choices: Choice[];
  regions: Region[];
}

/** What a move on the free table costs; with why it cannot be, if it cannot. */
export interface CostAnswer {
  cost: number | null;
  left: number | null;
  text: string | null;
  rule: string | null;
  /** What it is counted in; inches if left out. */
  unit?: string;
  /** Where along the way enemies may fire. */
  fire?: { place: Place; units: UnitId[] }[];
  /** Who would lie below the template. */
  hits?: { unit: UnitId; own: boolean }[];
  /** What would be covered, where that is not one template at the point itself. */
  rings?: [number, number][][];
  /** The place as the book writes it. */
  written?: string;
  spread?: Drift[];
}

/** The fire of a stand on the free table. */
export interface AroundAnswer {
  /** Up to how many inches what multipliers hold, the nearest first. */
  bands: { inches: number; text: string }[];
  /** The ground on which it could hit; a ring within a ring is a hole. */
  polygons: [number, number][][];
}

/** What several units can do at one word, and the decisions that it takes. */
export interface Way {
  label: string;
  units: UnitId[];
  steps: Action[];
}

export interface TogetherAnswer {
  ways: Way[];
  /** Those that go none of the ways. */
  barred: { unit: UnitId; text: string; rule: string }[];
}

export interface Advice {
  action: Action;
  label: string;
  places: Place[];
  text: string;
}

export type AdvisedOrder = Omit<Advice, 'places'>;

export interface SuggestAnswer {
  action: Action | null;
  label: string;
  places?: Place[];
  text: string;
  /** The steps that would follow. */
  plan?: { action: Action; label: string }[];
  /** The orders of the sheet that is advised, and the reason of each. */
  orders?: AdvisedOrder[];
  others: Advice[];
}

/** A moment that one can look back to; `log` counts the log entries known by then. */
export interface MomentInfo {
  turn: number;
  side: Side | null;
  step: string;
  log: number;
}

/** A moment of a finished game: its score, and the lead that each side could expect. */
export interface CoursePoint {
  n: number;
  turn: number;
  scores: Record<Side, number>;
  worth: Record<Side, number>;
}

export interface MomentAnswer {
  n: number;
  last: number;
  /** The line of the record that this seat may download. */
  line: number;
  log: number;
  /** What was decided to come here, in words. */
  did: string;
  /** As whom the past is seen, and as whom it may be. */
  side: Side;
  sides: Side[];
  view: View;
  step: string;
}

export interface Orders {
  fire: 'ask' | 'never' | 'always';
  at: 'all' | 'vehicles' | 'armour';
  /** In percent. */
  least_chance: number;
  /** Hexes from the firer to the mover; 0: any. */
  within: number;
  again: 'nearer' | 'always';
  /** Questions in a player turn of the enemy; 0: no limit. */
  most: number;
  units: Record<UnitId, 'ask' | 'never'>;
  /** Whether a target with a hidden command shows that it moves; only in rulebooks that ask for it. */
  moving?: 'ask' | 'show' | 'keep';
  /** Of units that the enemy has not seen; a server of an earlier version knows none. */
  hidden?: Ambush;
}

/** The orders of units in hiding: the shots that they fire without a question. */
export interface Ambush {
  fire: 'hold' | 'fire' | 'ask';
  at: 'all' | 'vehicles' | 'armour';
  /** In percent. */
  least_chance: number;
  /** Hexes from the firer to the mover; 0: any. */
  within: number;
}

export interface GameFacts {
  scenario: string;
  title: string;
  sides: unknown;
  turn?: number;
  turns?: number;
  result?: Result | null;
  versions?: Record<string, string>;
  [key: string]: unknown;
}
