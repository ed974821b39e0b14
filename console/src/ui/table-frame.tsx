import type { ReactNode } from 'react'

/** Scrollable container for wide tables. It can be focused, so that the keyboard scrolls it as well. */
export function TableFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className="table-frame" aria-label={name} tabIndex={0}>
      <table>{children}</table>
    </section>
  )
}
