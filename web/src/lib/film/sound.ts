/** Shots, engines and dice, made of noise and a few tones: no file is loaded. */

export interface Noise {
  kind: 'shot' | 'rattle' | 'engine' | 'dice' | 'blast';
  /** How heavy it is, from 0 to 1. */
  weight: number;
  seconds: number;
}

const VOLUME = 0.35;
const NOISE_SECONDS = 2;

export class Sounds {
  private readonly context = new AudioContext();
  private readonly out: GainNode;
  private readonly noise: AudioBuffer;

  constructor() {
    const { context } = this;
    this.out = context.createGain();
    this.out.gain.value = VOLUME;
    this.out.connect(context.destination);
    this.noise = context.createBuffer(1, context.sampleRate * NOISE_SECONDS, context.sampleRate);
    const samples = this.noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }

  close(): void {
    void this.context.close();
  }

  play({ kind, weight, seconds }: Noise): void {
    void this.context.resume();
    const now = this.context.currentTime;
    switch (kind) {
      case 'shot':
        this.thump(now, 900 - 500 * weight, 0.25 + 0.5 * weight);
        return this.boom(now, 110 - 50 * weight, 0.2 + 0.4 * weight);
      case 'rattle':
        for (const shot of [0, 0.09, 0.18, 0.27]) this.thump(now + shot, 2200, 0.05);
        return;
      case 'blast':
        this.thump(now, 420, 0.9);
        return this.boom(now, 48, 0.9);
      case 'dice':
        for (const knock of [0, 0.07, 0.16, 0.22, 0.34]) this.thump(now + knock, 3200, 0.025);
        return;
      case 'engine':
        return this.rumble(now, 42 + 30 * (1 - weight), seconds);
    }
  }

  /** A burst of noise below a frequency, which dies away. */
  private thump(at: number, below: number, seconds: number): void {
    const source = this.context.createBufferSource();
    source.buffer = this.noise;
    const filter = this.context.createBiquadFilter();
    filter.type = below > 1500 ? 'bandpass' : 'lowpass';
    filter.frequency.setValueAtTime(below, at);
    source.connect(filter).connect(this.fading(at, 1, seconds));
    source.start(at, Math.random());
    source.stop(at + seconds);
  }

  /** A deep tone that falls. */
  private boom(at: number, hertz: number, seconds: number): void {
    const tone = this.context.createOscillator();
    tone.frequency.setValueAtTime(hertz, at);
    tone.frequency.exponentialRampToValueAtTime(hertz / 2, at + seconds);
    tone.connect(this.fading(at, 0.9, seconds));
    tone.start(at);
    tone.stop(at + seconds);
  }

  /** An engine that drives by. */
  private rumble(at: number, hertz: number, seconds: number): void {
    const engine = this.context.createOscillator();
    engine.type = 'sawtooth';
    engine.frequency.setValueAtTime(hertz, at);
    const muffler = this.context.createBiquadFilter();
    muffler.frequency.value = 260;
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0.001, at);
    gain.gain.linearRampToValueAtTime(0.3, at + seconds / 3);
    gain.gain.linearRampToValueAtTime(0.001, at + seconds);
    engine.connect(muffler).connect(gain).connect(this.out);
    engine.start(at);
    engine.stop(at + seconds);
  }

  private fading(at: number, loud: number, seconds: number): GainNode {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    gain.connect(this.out);
    return gain;
  }
}
