import { defineCause } from '../cause.ts'
import { markdownLength, optionOf, speaksOf, stepsOf } from '../support-case.ts'

/** Below this, a page has hardly any Markdown. */
const thin = 250

export const emptyContent = defineCause({
  name: 'empty-content',
  find(facts) {
    if (!facts.job || facts.job.error) return undefined
    const read = stepsOf(facts, 'read').at(-1)
    const length = markdownLength(facts)
    const left = read?.leftOut.find(({ reason }) => reason === 'not main content')?.characters ?? 0
    const share = read && read.pageCharacters > 0 ? left / read.pageCharacters : 0
    const isThin = length !== undefined && length < thin
    const isAsked = speaksOf(
      facts,
      /empty|blank|nothing|missing|incomplete|cut|truncat|only (part|the first|a few)|not (all|everything)|thin|lacks?|lost|without/i,
    )
    if (!isThin && !isAsked) return undefined
    const isMain = optionOf(facts, 'onlyMainContent') !== false
    return {
      sureness: isThin && left > 200 ? 0.75 : isAsked && share > 0.25 ? 0.7 : isThin ? 0.5 : 0.35,
      diagnosis:
        left > 0 && isMain
          ? `Of ${read?.pageCharacters} characters of text on the page, ${left} were taken for navigation and other furniture and left out.`
          : 'The page has little text of its own.',
      advice:
        'onlyMainContent: false returns the whole page; mainContentMode: "container" keeps all of the element that holds the content.',
      fixes: isMain ? [{ mainContentMode: 'container' }, { onlyMainContent: false }] : [],
    }
  },
})
