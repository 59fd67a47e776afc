import type { ReactNode } from "react";
import { scenes } from "#content/projects";
import styles from "./cards-scene.module.css";
import { pinnaOutline } from "./fern";
import { leafPath } from "./leaf-path";
import strokes from "./strokes.module.css";

type Picture = keyof typeof scenes.cards.pictures;

const board: readonly { picture: Picture; open?: true }[] = [
  { picture: "kettle" },
  { picture: "hedgehog", open: true },
  { picture: "snail" },
  { picture: "boat" },
  { picture: "leaf" },
  { picture: "snail" },
  { picture: "kettle" },
  { picture: "tram", open: true },
  { picture: "leaf", open: true },
  { picture: "tram" },
  { picture: "boat" },
  { picture: "hedgehog" },
];

/**
 * A memory game to play. Each card is a checkbox, so it turns without a script and by keyboard. A screen reader gets the
 * name of a picture once its card is turned. `method="dialog"` keeps the Enter key from sending the form anywhere.
 */
export function CardsScene() {
  const { hint, card, reset, pictures } = scenes.cards;
  return (
    <form method="dialog">
      <div hidden>
        <svg aria-hidden="true">
          {Object.entries(faces).map(([name, drawing]) => (
            <g key={name} id={`card-${name}`}>
              {drawing}
            </g>
          ))}
          <g id="card-back">
            <path d="M48.5 88Q48 50 50 14Q52 50 51.5 88Z" />
            {[28, 42, 56, 70].map((y, index) => (
              <g key={y} transform={`translate(50 ${y}) scale(${(4 + index) / 20})`}>
                <path transform="rotate(-40)" d={pinnaOutline} />
                <path transform="scale(-1 1) rotate(-40)" d={pinnaOutline} />
              </g>
            ))}
          </g>
        </svg>
      </div>
      <fieldset className={styles.board}>
        <legend className="strong">{hint}</legend>
        {board.map(({ picture, open }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards never change places.
          <label key={index} className={styles.card}>
            <input type="checkbox" data-picture={picture} defaultChecked={open} />
            <span className={styles.sheet}>
              <span className={`panel ${styles.back}`} role="img" aria-label={`${card} ${index + 1}`}>
                <Drawing of="back" />
              </span>
              <span className={styles.face} role="img" aria-label={pictures[picture]}>
                <Drawing of={picture} />
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <button type="reset" className={`bare label link target ${styles.reset}`}>
        {reset}
      </button>
    </form>
  );
}

function Drawing({ of }: { of: Picture | "back" }) {
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#card-${of}`} />
    </svg>
  );
}

const vein = { className: strokes.rib };

const faces: Record<Picture, ReactNode> = {
  hedgehog: (
    <>
      <path d="M16 78Q14 44 44 40Q74 42 80 60Q90 64 96 72Q94 79 84 78Z" />
      {Array.from({ length: 9 }, (_, index) => {
        const angle = Math.PI * (1.04 + index * 0.094);
        const at = (reach: number, centre: number) => Math.round(centre + reach * Math.cos(angle));
        const up = (reach: number) => Math.round(74 + reach * Math.sin(angle));
        // biome-ignore lint/suspicious/noArrayIndexKey: the spines never change places.
        return <path key={index} d={leafPath(at(20, 50), up(20), at(46, 46), up(54), 5)} />;
      })}
      <path {...vein} d="M22 70L32 64M28 56L38 56M38 48L44 54M50 46L50 54M60 50L56 58M66 58L58 66M46 66L42 74" />
      <circle className={strokes.cut} cx="82" cy="67" r="2.6" />
      <path d={`${leafPath(26, 80, 38, 80, 4)}${leafPath(60, 80, 72, 80, 4)}`} />
    </>
  ),
  kettle: (
    <>
      <path d="M26 82Q18 50 34 42H66Q82 50 74 82Q72 86 66 86H34Q28 86 26 82Z" />
      <path d={leafPath(72, 72, 98, 42, 5, 7)} />
      <path d="M38 39Q50 28 62 39Z" />
      <circle cx="50" cy="28" r="4" />
      <path {...vein} className={styles.line} d="M28 48Q14 12 50 12Q86 12 72 48" />
      <path {...vein} d="M50 80V50M50 62L40 54M50 62L60 54M50 72L38 64M50 72L62 64" />
    </>
  ),
  leaf: (
    <>
      <path d={leafPath(30, 78, 80, 12, 25)} />
      <path className={styles.line} d="M18 92L32 76" />
      <path {...vein} d="M31 77L73 21M42 62L36 42M42 62L62 62M52 49L46 30M52 49L72 46M61 37L58 22M61 37L76 33" />
    </>
  ),
  snail: (
    <>
      <circle cx="44" cy="48" r="29" />
      <path d="M8 84Q30 70 60 76Q74 76 76 56Q78 46 88 48Q96 52 94 62Q92 84 70 86H14Q8 86 8 84Z" />
      <path className={styles.line} d="M84 50L78 30M89 50L96 32" />
      <circle cx="78" cy="29" r="3.4" />
      <circle cx="96" cy="31" r="3.4" />
      <path
        {...vein}
        d="M68 58A25 25 0 1 1 62 32A19 19 0 1 1 36 63A16 16 0 0 1 42 33A11 11 0 0 1 50 54A6 6 0 0 1 44 45"
      />
    </>
  ),
  boat: (
    <>
      <path d="M10 68H90Q82 86 68 86H32Q16 86 10 68Z" />
      <path d={`${leafPath(46, 62, 48, 8, 19, 0)}${leafPath(54, 62, 54, 20, 0, 15)}`} />
      <path className={styles.line} d="M50 8V68" />
      <path
        {...vein}
        d="M45 58Q40 36 46 18M42 50L32 46M41 40L34 36M56 58Q61 44 56 30M58 50L66 47M59 42L65 39M24 76H76"
      />
    </>
  ),
  tram: (
    <>
      <path d="M20 28H80Q86 28 86 36V76Q86 80 82 80H18Q14 80 14 76V36Q14 28 20 28Z" />
      <circle cx="32" cy="82" r="7" />
      <circle cx="68" cy="82" r="7" />
      <path className={styles.line} d="M14 10H86M40 28L50 10L60 28M8 92H92" />
      <path className={strokes.cut} d="M21 38H36V54H21ZM42 38H58V54H42ZM64 38H79V54H64Z" />
      <path {...vein} d="M20 66H80" />
    </>
  ),
};
