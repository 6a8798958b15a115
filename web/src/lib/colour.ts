/** Contrast, difference, and how colours look to eyes that lack one kind of cone. Pure. */

export type Rgb = readonly [number, number, number];

export function rgb(hex: string): Rgb {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const at = (i: number) => parseInt(full.slice(i, i + 2), 16);
  return [at(1), at(3), at(5)];
}

export function hexOf([r, g, b]: Rgb): string {
  const two = (c: number) => Math.round(c).toString(16).padStart(2, '0');
  return `#${two(r)}${two(g)}${two(b)}`;
}

const linear = (c: number) => (c <= 10.31475 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
const screen = (c: number) => 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

export function luminance(colour: string): number {
  const [r, g, b] = rgb(colour).map(linear) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export const DEFICIENCIES = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

export type Deficiency = keyof typeof DEFICIENCIES;

/** The colour as it looks with a deficiency (Machado, Oliveira and Fernandes 2009, full severity). */
export function seen(colour: string, deficiency: Deficiency): string {
  const light = rgb(colour).map(linear);
  const mixed = DEFICIENCIES[deficiency].map((row) => {
    const sum = row.reduce((total, weight, i) => total + weight * light[i]!, 0);
    return screen(Math.max(0, Math.min(1, sum)));
  });
  return hexOf(mixed as unknown as Rgb);
}

function lab(colour: string): Rgb {
  const [r, g, b] = rgb(colour).map(linear) as [number, number, number];
  const f = (v: number) => (v > 0.008856 ? Math.cbrt(v) : 7.787 * v + 16 / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** How different two colours look: the distance in CIELAB. About 2 is just seen, 10 is seen at a glance. */
export function difference(a: string, b: string): number {
  const [p, q] = [lab(a), lab(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
