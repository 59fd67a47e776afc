import { patch, SmallDrawing } from "./small-drawing";

/** An open, empty letterbox on its post, with a frond below. */
export function EmptyLetterbox() {
  return (
    <SmallDrawing>
      <path className={patch} d="M96 40H112C124 40 132 49 132 60V84H96Z" />
      <path d="M40 84V62C40 49 49 40 60 40H112C124 40 132 49 132 62V84H80M40 84H80V62C80 49 71 40 60 40" />
      <path d="M48 84L30 98H70L80 84M50 62H70M50 70H64" />
      <path d="M112 40V20H126L122 26L126 32H112" />
      <path d="M98 84V124M108 84V124M8 124H152" />
      <path d="M108 124C122 122 132 114 136 104C138 98 145 98 145 104C145 108 140 109 139 105M118 122C116 116 117 111 121 107M126 117C124 111 125 106 129 102M126 117C132 119 138 118 142 115" />
    </SmallDrawing>
  );
}
