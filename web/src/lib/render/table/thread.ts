/** The thread on which a free table is drawn. */
import { answer } from '../studio';
import { sceneOfTable } from './scene';

answer(sceneOfTable);
