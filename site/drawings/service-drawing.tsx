import type { ReactNode } from "react";
import type { Service } from "#content/services";
import { dandelion, petals } from "./petals";
import styles from "./service-drawing.module.css";

/** One stroke for all four; the patch of sprout lies a little off the line, as in a two-colour print. */
export function ServiceDrawing({ of }: { of: Service["slug"] }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 160 120" aria-hidden="true">
      {drawings[of]}
    </svg>
  );
}

/** A seed below its parachute, upright. */
const flyingSeed = "M0 4V-14M0 -14L-8 -21M0 -14L-3 -24M0 -14L3 -24M0 -14L8 -21M0 0V4";

const drawings: Record<Service["slug"], ReactNode> = {
  // A gear that flowers, beside bars that rise with it.
  "ai-marketing-consulting": (
    <>
      <circle className={styles.patch} cx="103" cy="43" r="24" />
      <path className={styles.patch} d="M101 96C112 82 128 80 138 84C134 97 116 102 101 96Z" />
      <path d={petals(98, 40, 21, 29, 9)} />
      <circle cx="98" cy="40" r="9" />
      <path d="M98 69V108M98 96C108 82 124 79 134 82C131 95 114 102 98 96ZM98 102C90 92 80 90 73 92C75 101 87 106 98 102" />
      <path d="M12 108H148M22 108V92M36 108V80M50 108V64" />
      <path d="M18 78L34 62L44 50" strokeDasharray="1 6" />
    </>
  ),
  // Two short films, and the vine that they feed.
  "content-strategy": (
    <>
      <path className={styles.patch} d="M52 38C66 42 74 50 76 62C62 66 52 60 50 62Z" />
      <path d="M58 14L80 11Q86 10 87 16L96 84Q97 90 91 91L84 92" />
      <rect x="24" y="18" width="56" height="90" rx="7" transform="rotate(-4 52 63)" />
      <path d="M44 40C58 42 68 49 71 60C59 69 48 70 46 70C50 60 49 50 44 40ZM47 55C55 56 62 58 71 60M34 95L74 92M34 95L50 94" />
      <path d="M90 108C112 106 126 92 128 66C129 48 134 32 146 20" />
      <path d="M109 101C108 88 114 80 122 77C124 88 119 97 109 101ZM127 74C137 74 145 70 149 61C139 58 130 63 127 74ZM130 50C121 46 117 37 119 28C128 32 133 40 130 50Z" />
    </>
  ),
  // A dandelion at the moment of launch; each seed already knows its field.
  "go-to-market": (
    <>
      <circle className={styles.patch} cx="48" cy="46" r="24" />
      <path d={dandelion(44, 42, 31, 10)} />
      <path d="M44 46C45 70 44 90 42 108M43 96C36 85 26 82 16 86C20 96 32 101 43 96" />
      <path d={flyingSeed} transform="translate(88 52) rotate(38)" />
      <path d={flyingSeed} transform="translate(114 34) rotate(58) scale(1.1)" />
      <path d={flyingSeed} transform="translate(112 72) rotate(24) scale(.9)" />
      <path d="M8 108H72M88 108H104M118 108H152" />
      <path d="M96 108V98M96 98C91 97 88 94 88 90C92 90 96 93 96 98C96 93 100 90 104 90C104 94 101 97 96 98" />
      <path className={styles.solid} d="M135 86C127 78 127 66 135 58C143 66 143 78 135 86Z" />
      <path d="M135 70V108M135 98C128 98 123 94 121 88C128 88 133 92 135 98ZM135 98C142 98 147 94 149 88C142 88 137 92 135 98Z" />
    </>
  ),
  // Two stems from two roots that climb as one.
  partnerships: (
    <>
      <path className={styles.patch} d="M85 92C72 80 72 66 85 54C98 66 98 80 85 92Z" />
      <path d="M40 108C70 106 98 92 96 72C94 54 64 50 66 30C67 20 74 14 80 8" />
      <path d="M120 108C90 106 62 92 64 72C66 54 96 50 94 30C93 20 86 14 80 8" />
      <path d="M66 36C54 38 44 32 40 22C52 19 63 25 66 36ZM94 36C106 38 116 32 120 22C108 19 97 25 94 36Z" />
      <path d="M93 62C105 64 116 60 122 50C110 45 98 50 93 62ZM67 62C55 64 44 60 38 50C50 45 62 50 67 62Z" />
      <path d="M18 108H142M28 108C26 112 22 114 18 115M132 108C134 112 138 114 142 115" />
    </>
  ),
};
