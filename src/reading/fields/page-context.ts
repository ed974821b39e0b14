/** The page as the readers of values see it. */
export interface PageContext {
  url: string
  base: string
  /** As the page states it; may be empty. */
  language: string
  /** As its head states it; may be empty. */
  title: string
}
