import { defineCause } from '../cause.ts'
import { speaksOf, stepsOf } from '../support-case.ts'

/** UTF-8 that was read as a single-byte encoding, and bytes that are no UTF-8. */
const garbled = /Ã[\u0080-\u00bf\u0152-\u0192\u2018-\u203a]|Ã[¤¶¼Ÿ„–œ©¨ª«]|â€[™œž“”˜¢¦]|Â[ °£§«»©®]|\ufffd/

export const wrongCharset = defineCause({
  name: 'wrong-charset',
  find(facts) {
    const isGarbled = garbled.test(facts.document?.markdown ?? '')
    const isAsked =
      garbled.test(facts.words) ||
      speaksOf(
        facts,
        /garbl|garbage|gibberish|mojibake|encoding|charset|umlaut|accent|question marks|boxes|strange (char|letter|symbol)|weird (char|letter|symbol)|unreadable/i,
      )
    if (!isGarbled && !isAsked) return undefined
    const type = stepsOf(facts, 'fetch').at(-1)?.contentType
    return {
      sureness: isGarbled && isAsked ? 0.96 : isGarbled ? 0.85 : 0.6,
      diagnosis: `The page declares another encoding than it is written in${type === undefined ? '' : ` (its type is ${type.slice(0, 80)})`}, so its letters are read wrongly, as in a browser.`,
      advice:
        'Only the site can correct what it declares; rawBase64 returns its bytes, which you can decode with the right encoding.',
    }
  },
})
