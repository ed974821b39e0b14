import type { ReactNode } from 'react'

/** A table that is wider than the window scrolls by itself, also by keyboard. */
export function TableFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={name} tabIndex={0}>
      <table>{children}</table>
    </section>
  )
}
