/** Rule numbers and searching the rule index. */
import type { RuleInfo } from './protocol';

/** The rules that hold a rule, the nearest first: 9.5.2 lies in 9.5, which lies in 9.0. */
export function parentsOf(rule: string): string[] {
  const parents: string[] = [];
  let at = rule;
  for (;;) {
    const dash = at.lastIndexOf('-');
    const dot = at.lastIndexOf('.');
    if (dash > 0) at = at.slice(0, dash);
    else if (dot > 0 && at.indexOf('.') !== dot) at = at.slice(0, dot);
    else if (dot > 0 && at.slice(dot) !== '.0') at = `${at.slice(0, dot)}.0`;
    else return parents;
    parents.push(at);
  }
}

export function depthOf(rule: string): number {
  return parentsOf(rule).length;
}

/** Rules whose number starts with the query, or whose words hold all of its words. */
export function search(rules: readonly RuleInfo[], query: string): RuleInfo[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [...rules];
  if (/^\d/.test(wanted)) {
    return rules.filter((r) => r.rule.toLowerCase().startsWith(wanted));
  }
  const words = wanted.split(/\s+/);
  const holds = (text: string) => words.every((w) => text.includes(w));
  const inTitle = rules.filter((r) => holds(r.title.toLowerCase()));
  const inText = rules.filter(
    (r) => !inTitle.includes(r) && holds(`${r.title} ${r.statement}`.toLowerCase()),
  );
  return [...inTitle, ...inText];
}
