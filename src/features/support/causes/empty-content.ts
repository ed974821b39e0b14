import { defineCause } from '../cause.ts'
import { furnitureLength, isThin, missesContent, optionOf, stepsOf } from '../support-case.ts'

export const emptyContent = defineCause({
  name: 'empty-content',
  find(facts) {
    if (!facts.job || facts.job.error || facts.job.pages) return undefined
    if (!isThin(facts)) return undefined
    const left = furnitureLength(facts)
    const isMain = optionOf(facts, 'onlyMainContent') !== false
    const whole = stepsOf(facts, 'read').at(-1)?.pageCharacters ?? 0
    return {
      sureness: left > 200 ? 0.75 : missesContent(facts) ? 0.55 : 0.5,
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
