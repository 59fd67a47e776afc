import { patch, SmallDrawing } from "./small-drawing";

/** A closed garden gate with plants behind it. */
export function ClosedGate() {
  return (
    <SmallDrawing>
      <circle className={patch} cx="88" cy="44" r="25" />
      <path d="M22 124V44Q27 38 32 44V124M128 124V44Q133 38 138 44V124M8 124H152" />
      <path d="M40 118V70M56 118V62M72 118V58M88 118V58M104 118V62M120 118V70M34 78C54 64 106 64 126 78M34 104H126M34 118H126M34 72V118M126 72V118" />
      <circle cx="114" cy="91" r="3.5" />
      <path d="M72 52C74 36 80 26 92 22C102 19 108 28 102 34C97 38 92 33 96 29M74 44C64 42 58 36 57 28C66 29 73 35 74 44M80 32C74 26 73 19 76 12C82 17 84 25 80 32M76 40C86 38 93 42 97 50C88 52 80 48 76 40" />
    </SmallDrawing>
  );
}
