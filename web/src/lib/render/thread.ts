/** The thread on which a map of hexes is drawn. */
import type { HexData } from '../protocol';
import { makeScene } from './map';
import { makeModel } from './model';
import { answer } from './studio';

answer((data: HexData, options) => makeScene(makeModel(data), options));
