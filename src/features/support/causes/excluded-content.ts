import { defineCause } from '../cause.ts'
import { trouble } from '../choose-job.ts'
import {
  furnitureLength,
  isThin,
  lastStep,
  missesContent,
  optionOf,
  type SupportCase,
  warnsOf,
} from '../support-case.ts'

export const excludedContent = defineCause({
  name: 'excluded-content',
  find(facts) {
    const read = lastStep(facts, 'read')
    const by = (reason: string) => read?.leftOut.find((part) => part.reason === reason)?.characters ?? 0
    const excluded = by('excludeTags')
    const outside = by('outside includeTags')
    const isUnmatched = warnsOf(facts, /matches includeTags|not a valid CSS selector/)
    // Of an upload it is not on record what was left out.
    const isUnknown = facts.job?.kind === 'parse' && !read
    if (excluded === 0 && outside === 0 && !isUnmatched)
      return isUnknown ? ofUpload(facts) : ofFurniture(facts)
    const whole = Math.max(1, read?.pageCharacters ?? 1)
    const tags = (name: string) => JSON.stringify(optionOf(facts, name) ?? []).slice(0, 100)
    const isExcluding = excluded > 0
    return {
      sureness: isUnmatched ? 0.95 : (excluded + outside) / whole > 0.15 ? 0.92 : 0.6,
      diagnosis: isUnmatched
        ? `includeTags ${tags('includeTags')} matches nothing on the page.`
        : isExcluding
          ? `excludeTags ${tags('excludeTags')} removes ${excluded} of the ${whole} characters of the page.`
          : `includeTags ${tags('includeTags')} leaves out ${outside} of the ${whole} characters of the page.`,
      advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
      fixes: [
        ...(isExcluding ? [{ excludeTags: [] }] : [{ includeTags: [] }]),
        { includeTags: [], excludeTags: [] },
        { includeTags: [], excludeTags: [], waitFor: 5000 },
      ],
    }
  },
})

function ofUpload(facts: SupportCase) {
  const names = ['excludeTags', 'includeTags'].filter((name) => {
    const tags = optionOf(facts, name)
    return Array.isArray(tags) && tags.length > 0
  })
  if (names.length === 0 || !missesContent(facts)) return undefined
  return {
    sureness: 0.8,
    diagnosis: `Only a part of the file was asked for, with ${names.map((name) => `${name} ${JSON.stringify(optionOf(facts, name)).slice(0, 100)}`).join(' and ')}.`,
    advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
    fixes: [Object.fromEntries(names.map((name) => [name, []]))],
  }
}

/** A part of a page that has text enough: in its footer, its menu or beside its content. */
function ofFurniture(facts: SupportCase) {
  const left = furnitureLength(facts)
  const isMain = optionOf(facts, 'onlyMainContent') !== false
  if (left === 0 || !isMain || isThin(facts) || !trouble.test(facts.words)) return undefined
  return {
    sureness: missesContent(facts) ? 0.66 : 0.4,
    diagnosis: `onlyMainContent leaves out headers, menus, footers and what stands beside the content: ${left} characters of this page.`,
    advice:
      'onlyMainContent: false returns the whole page; includeTags with the selector of the part returns that alone.',
    fixes: [{ onlyMainContent: false }, { mainContentMode: 'container' }],
  }
}
