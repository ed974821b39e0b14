/** SVG outline paths on a 24×24 grid. */
const paths = {
  brand: 'M3 6l5 13 4-9 4 9 5-13',
  play: 'M6 4l13 8-13 8z',
  jobs: 'M4 6h16M4 12h16M4 18h10',
  activity: 'M3 12h4l3 7 4-14 3 7h4',
  browser: 'M3 5h18v14H3zM3 9h18M6.5 7h.01',
  watch: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 100 6 3 3 0 000-6z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6',
  book: 'M5 4h12a2 2 0 012 2v14H7a2 2 0 01-2-2zM5 18a2 2 0 012-2h12',
  theme: 'M12 3a9 9 0 100 18zM12 3a9 9 0 010 18',
  signOut: 'M10 4H4v16h6M9 12h12M17 8l4 4-4 4',
  send: 'M21 3L3 10l7 4 4 7zM10 14L21 3',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M4 12l5 6L20 6',
  warn: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  close: 'M6 6l12 12M18 6L6 18',
  download: 'M12 4v12M6 11l6 6 6-6M4 20h16',
  refresh: 'M20 11a8 8 0 10-2 6M20 5v6h-6',
  stop: 'M6 6h12v12H6z',
  menu: 'M4 6h16M4 12h16M4 18h16',
  add: 'M12 5v14M5 12h14',
  more: 'M6 9l6 6 6-6',
} as const

export type IconName = keyof typeof paths

/** A decorative icon next to a label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
