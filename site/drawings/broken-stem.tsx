import { patch, SmallDrawing } from "./small-drawing";

/** The rising stem of the landing page's fern, here with a broken tip and a new frond below the break. */
export function BrokenStem() {
  return (
    <SmallDrawing>
      <circle className={patch} cx="44" cy="74" r="19" />
      <path d="M8 124H152M142 124V16M142 96H136M142 68H136M142 40H136" />
      <path d="M22 121C50 116 68 98 77 64M28 123C56 118 74 100 83 62M77 64L74 54L79 58L81 49L83 62" />
      <path d="M84 50C98 36 114 48 117 72C119 92 108 100 101 93C96 87 102 80 107 84M88 55C98 46 108 54 111 72M84 50L82 44L89 47M84 50L80 52L88 55" />
      <path d="M100 45C103 34 112 27 123 28C122 40 112 47 100 45ZM116 60C126 56 134 60 138 68C129 74 120 70 116 60Z" />
      <path d="M72 92C84 88 97 93 104 104C91 110 79 104 72 92Z" />
      <path d="M58 110C56 96 58 82 52 70C48 61 37 61 35 69C34 76 43 79 45 73M57 98C48 100 40 97 35 90C44 86 52 90 57 98ZM56 86C62 78 70 76 76 78" />
    </SmallDrawing>
  );
}
