import type { ReactNode } from "react";
import type { Service } from "#content/services";
import styles from "./service-drawing.module.css";

/**
 * The drawing of a service. All four have the same stroke and stand on the lower edge of their card. The coloured patch
 * is shifted a little against the lines, as in an inexact two-colour print.
 */
export function ServiceDrawing({ of }: { of: Service["slug"] }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 180 120" width="180" height="120" aria-hidden="true">
      {drawings[of]}
    </svg>
  );
}

/** A dandelion seed with the hairs on which it flies, drawn upright. */
const flyingSeed = "M0 6V-14M-9 -20L0 -14L9 -20M-4 -24L0 -14L4 -24M0 3V6";

const drawings: Record<Service["slug"], ReactNode> = {
  // Two gears that look like flowers, beside rising bars.
  "ai-marketing-consulting": (
    <>
      <circle className={styles.patch} cx="135" cy="42" r="27" />
      <path className={styles.patch} d="M35 89H49V120H35ZM131 112C140 96 158 92 172 97C166 111 146 118 131 112Z" />
      <path d="M6 120V100H20V120M30 120V84H44V120M54 120V64H68V120" />
      <path d={petals(130, 38, 22, 31, 10)} />
      <circle cx="130" cy="38" r="9" />
      <path d={petals(90, 66, 10, 16, 7)} />
      <circle cx="90" cy="66" r="3" />
      <path d="M130 69V120M130 110C139 95 155 91 167 95C162 108 144 115 130 110ZM130 116C120 104 110 102 101 104C104 114 116 120 130 116M91 82C93 92 98 98 106 104" />
    </>
  ),
  // Short films stand in the ground like seed packets, with a plant beside them.
  "content-strategy": (
    <>
      <path className={styles.patch} d="M44 46C62 49 74 58 78 66C70 77 56 84 44 87C49 74 49 60 44 46Z" />
      <path d="M24 120V20Q24 12 32 12H76Q84 12 84 20V120M46 21H62" />
      <path d="M40 42C58 45 70 54 74 62C66 73 52 80 40 83C45 70 45 56 40 42ZM43 62H72M54 62L50 54M54 62L50 70M63 62L60 56M63 62L60 68" />
      <path d="M36 104H72M36 104H54M54 100V108" />
      <path d="M84 46H112Q119 46 119 53V120M94 106H109M98 70L110 78L98 86Z" />
      <path d="M140 120C152 104 138 88 146 70C152 56 150 44 140 36C132 30 124 38 130 45C134 49 140 46 138 41" />
      <path d="M144 104C154 104 162 99 166 90C156 88 147 94 144 104ZM143 86C134 86 128 81 125 73C134 72 141 77 143 86ZM147 66C156 67 164 63 169 55C160 52 151 57 147 66Z" />
    </>
  ),
  // A dandelion whose seeds fly to their fields.
  "go-to-market": (
    <>
      <circle className={styles.patch} cx="48" cy="46" r="27" />
      <path d={dandelion(42, 42, 34, 11)} />
      <path d="M42 46C43 74 42 98 38 120M39 108C31 96 20 92 9 97C14 108 27 113 39 108M40 98C48 88 58 85 68 89C64 99 52 104 40 98" />
      <path d={flyingSeed} transform="translate(92 58) rotate(40)" />
      <path d={flyingSeed} transform="translate(122 26) rotate(62) scale(1.1)" />
      <path d={flyingSeed} transform="translate(134 64) rotate(30) scale(.9)" />
      <path d="M98 120V108M98 108C92 107 88 103 88 98C94 98 98 102 98 108C98 102 102 98 108 98C108 103 104 107 98 108" />
      <path className={styles.solid} d="M154 92C145 82 145 68 154 58C163 68 163 82 154 92Z" />
      <path d="M154 74V120M154 108C146 108 140 104 138 96C146 96 152 100 154 108ZM154 108C162 108 168 104 170 96C162 96 156 100 154 108Z" />
    </>
  ),
  // Two stems that grow together.
  partnerships: (
    <>
      <path className={styles.patch} d="M96 102C80 88 80 70 96 56C112 70 112 88 96 102Z" />
      <path d="M30 120C66 117 111 102 109 78C107 56 70 52 73 28C74 18 82 10 90 4" />
      <path d="M150 120C114 117 69 102 71 78C73 56 110 52 107 28C106 18 98 10 90 4" />
      <path d="M73 36C58 38 47 31 42 19C57 16 69 23 73 36ZM107 36C122 38 133 31 138 19C123 16 111 23 107 36ZM73 36L56 26M107 36L124 26" />
      <path d="M107 70C121 72 134 67 141 56C127 50 113 56 107 70ZM73 70C59 72 46 67 39 56C53 50 67 56 73 70Z" />
      <path d="M54 116C50 104 42 98 32 98C34 108 42 115 54 116ZM126 116C130 104 138 98 148 98C146 108 138 115 126 116Z" />
    </>
  ),
};

/** Returns the outline of a gear whose teeth are round, so that it looks like a flower. */
function petals(centreX: number, centreY: number, inner: number, outer: number, count: number): string {
  const at = (radius: number, revolutions: number) => {
    const angle = revolutions * 2 * Math.PI - Math.PI / 2;
    return `${(centreX + radius * Math.cos(angle)).toFixed(1)} ${(centreY + radius * Math.sin(angle)).toFixed(1)}`;
  };
  const teeth = Array.from({ length: count }, (_, index) => {
    const revolutions = (share: number) => (index + share) / count;
    return `C${at(outer * 1.08, revolutions(0.04))} ${at(outer * 1.08, revolutions(0.56))} ${at(inner, revolutions(0.6))}Q${at(inner * 0.94, revolutions(0.8))} ${at(inner, revolutions(1))}`;
  });
  return `M${at(inner, 0)}${teeth.join("")}Z`;
}

/**
 * Returns the lines from the centre of a dandelion to its seeds. On the right a gap shows where seeds have flown away.
 */
function dandelion(centreX: number, centreY: number, radius: number, count: number): string {
  const at = (reach: number, degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(centreX + reach * Math.cos(angle)).toFixed(1)} ${(centreY + reach * Math.sin(angle)).toFixed(1)}`;
  };
  return Array.from({ length: count }, (_, index) => {
    const degrees = 112 + (214 * index) / (count - 1);
    const tips = [-11, 0, 11].map((spread) => `M${at(radius * 0.72, degrees)}L${at(radius, degrees + spread)}`);
    return `M${at(4, degrees)}L${at(radius * 0.72, degrees)}${tips.join("")}`;
  }).join("");
}
