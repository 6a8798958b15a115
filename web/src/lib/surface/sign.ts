/** The outline of a side's sign, so that sides differ by shape as their counters do. */

/** The first side's is a square with rounded corners, the other's has cut ones; nobody's is a disc. */
export function signOf(sideIndex: number | null, half: number): string {
  const h = half;
  if (sideIndex === null) return `M${-h} 0a${h} ${h} 0 1 0 ${2 * h} 0a${h} ${h} 0 1 0 ${-2 * h} 0z`;
  if (sideIndex === 0)
    return `M${-h + 3} ${-h}H${h - 3}a3 3 0 0 1 3 3V${h - 3}a3 3 0 0 1-3 3H${-h + 3}a3 3 0 0 1-3-3V${-h + 3}a3 3 0 0 1 3-3z`;
  const c = h * 0.5;
  return `M${-h + c} ${-h}H${h - c}L${h} ${-h + c}V${h - c}L${h - c} ${h}H${-h + c}L${-h} ${h - c}V${-h + c}z`;
}
