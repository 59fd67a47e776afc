import { patch, SmallDrawing } from "./small-drawing";

/** A signpost with empty arms, and a path that ends in the grass. */
export function LostPath() {
  return (
    <SmallDrawing>
      <path className={patch} d="M52 30H106L118 42L106 54H52Z" />
      <path d="M72 20V124M82 20V124M72 20Q77 14 82 20" />
      <path d="M72 26H46V48H72M82 26H104L114 37L104 48H82M72 58H52L42 68L52 79H72M82 58H108V79H82" />
      <path d="M8 124H152M18 124C17 114 14 108 9 104M18 124C18 112 21 104 27 99M18 124C20 118 24 114 30 113" />
      <path d="M118 124C117 116 114 111 109 108M118 124C119 112 123 105 130 101M118 124C121 118 127 115 133 115M144 124C144 118 142 114 139 112M144 124C145 118 148 115 151 114" />
      <path d="M38 136C54 132 60 132 74 133M88 133H100M110 133H114M122 133H124" />
    </SmallDrawing>
  );
}
