import type { BenchPage } from '../scorer.ts'

/** System that finds the content of a page and shouldWriteDocument it as Markdown. */
export interface System {
  name: string
  title: string
  /** Packages of the system; their versions are part of the result. */
  packages: string[]
  isSlow?: boolean
  /** True if the system is only measured when it is named. */
  isOptional?: boolean
  /** Set for services, which run in another process whose CPU time cannot be measured here. */
  clock?: 'wall'
  extract(page: BenchPage): string | Promise<string>
  /** Converts the complete page to Markdown; undefined if the system does not support this. */
  convert?(page: BenchPage): string | Promise<string>
  stop?(): void
}
