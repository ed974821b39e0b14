import { defineCause } from '../cause.ts'
import {
  furnitureLength,
  isThin,
  lastStep,
  markdownLength,
  missesContent,
  optionOf,
} from '../support-case.ts'

/** Below this, a page has no Markdown to speak of. */
const blank = 20

export const emptyContent = defineCause({
  name: 'empty-content',
  find(facts) {
    if (!facts.page || facts.page.error || !isThin(facts)) return undefined
    // The start of a crawl is often a list of links.
    const isBlank = (markdownLength(facts) ?? 0) < blank
    if (facts.job?.kind === 'crawl' && !isBlank) return undefined
    const left = furnitureLength(facts)
    const isMain = optionOf(facts, 'onlyMainContent') !== false
    const whole = lastStep(facts, 'read')?.pageCharacters ?? 0
    return {
      sureness: left > 200 ? 0.75 : isBlank ? 0.7 : missesContent(facts) ? 0.55 : 0.5,
      isSeen: true,
      diagnosis:
        left > 0 && isMain
          ? `Of ${whole} characters of text on the page, ${left} were taken for navigation and other furniture and left out.`
          : 'The page has little text of its own.',
      advice:
        'onlyMainContent: false returns the whole page; mainContentMode: "container" keeps all of the element that holds the content.',
      fixes: isMain ? [{ mainContentMode: 'container' }, { onlyMainContent: false }] : [],
    }
  },
})
