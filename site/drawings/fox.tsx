/** The fox that the trail scene shows in the viewfinder of a phone. */
export function Fox() {
  return (
    <g transform="translate(24 78) scale(1.12)">
      <path fill="#c8613c" d="M78 168C112 172 126 140 106 116C108 136 98 148 80 150Z" />
      <path fill="var(--paper)" d="M106 116C115 127 117 139 113 149C107 145 104 131 106 116Z" />
      <path fill="#c8613c" d="M60 172C32 172 30 142 40 112C46 98 52 94 60 94S74 98 80 112C90 142 88 172 60 172Z" />
      <path fill="var(--paper)" d="M60 160C49 152 46 128 50 104L60 112L70 104C74 128 71 152 60 160Z" />
      <path fill="#7c3520" d="M46 172V152C46 146 55 146 55 152V172ZM65 172V152C65 146 74 146 74 152V172Z" />
      <path fill="#c8613c" d="M60 106L33 80C29 66 29 50 33 36L50 52C56 49 64 49 70 52L87 36C91 50 91 66 87 80Z" />
      <path
        fill="#7c3520"
        d="M36 44L46 55C41 57 38 61 36 66C35 58 35 51 36 44ZM84 44L74 55C79 57 82 61 84 66C85 58 85 51 84 44Z"
      />
      <path fill="var(--paper)" d="M60 106L33 80C45 76 55 82 60 92C65 82 75 76 87 80Z" />
      <circle cx="60" cy="103" r="4.5" fill="var(--ink)" />
      <circle cx="48" cy="72" r="3.6" fill="var(--ink)" />
      <circle cx="72" cy="72" r="3.6" fill="var(--ink)" />
    </g>
  );
}
