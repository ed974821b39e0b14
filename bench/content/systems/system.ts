import type { BenchPage } from '../scorer.ts'

/** Something that finds the content of a page and writes it as Markdown. */
export interface System {
  name: string
  title: string
  /** The packages it is made of, whose versions belong to the result. */
  packages: string[]
  isSlow?: boolean
  /** Measured only where it is named. */
  isAside?: boolean
  /** A service works in another process, whose CPU time is not seen from here. */
  clock?: 'wall'
  extract(page: BenchPage): string | Promise<string>
  /** The whole page as Markdown, where the system can do this alone. */
  convert?(page: BenchPage): string | Promise<string>
  stop?(): void
}
