/** Addresses of the page: / , /play/{game} , /rules/{ruleset}[#{rule}] , /forces[/{ruleset}] , /design. */
import { decoded } from './decoded';

export type Route =
  | { page: 'start' }
  | { page: 'design' }
  | { page: 'forces'; ruleset: string | null }
  | { page: 'play'; game: string }
  | { page: 'rules'; ruleset: string; rule: string | null };

export function routeOf(path: string, hash: string): Route {
  const [, first, second] = path.split('/').map((part) => decoded(part) ?? part);
  if (first === 'play' && second) return { page: 'play', game: second };
  if (first === 'rules' && second)
    return { page: 'rules', ruleset: second, rule: decoded(hash.slice(1)) || null };
  if (first === 'forces') return { page: 'forces', ruleset: second || null };
  if (first === 'design') return { page: 'design' };
  return { page: 'start' };
}

class Router {
  route = $state.raw<Route>(routeOf(location.pathname, location.hash));

  constructor() {
    addEventListener('popstate', () => (this.route = routeOf(location.pathname, location.hash)));
    // Links within the page stay in the page.
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
        return;
      const link = (event.target as Element | null)?.closest('a');
      if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return;
      if (link.pathname.startsWith('/api/')) return;
      event.preventDefault();
      this.go(link.pathname + link.hash);
    });
  }

  go(path: string): void {
    history.pushState(null, '', path);
    const [bare = '/', hash = ''] = path.split('#');
    this.route = routeOf(bare, `#${hash}`);
    if (!hash) scrollTo(0, 0);
  }
}

export const router = new Router();
