import { defineFormat, type FormatNeed } from './format.ts'

/** Formats that clients know and this version cannot produce. The other requested formats are returned, with a warning. */

const needsMedia = 'this version does not fetch videos'

export const video = absent('video', 'The video on the page.', needsMedia, 'network')

function absent<const Name extends string>(
  name: Name,
  description: string,
  why: string,
  needs: FormatNeed = 'page',
) {
  return defineFormat({
    name,
    description: `${description} Not available here.`,
    isAbsent: true,
    needs,
    options: {},
    output: {},
    render: () => ({ unavailable: `The format ${name} is not available here: ${why}.` }),
  })
}
