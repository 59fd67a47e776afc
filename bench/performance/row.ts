/** One question of a measurement that compares the product with a rival in the same run. */
export type Row = {
  question: string;
  /** The median, with its unit. */
  ours: string;
  rival: string;
  /** Ours by the rival's. */
  ratio: number;
  /** The lowest and the highest ratio of two measurements that followed each other. */
  spread: string;
  goal?: string;
};
