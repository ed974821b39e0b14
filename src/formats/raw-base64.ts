import { z } from 'zod'
import { JsonText } from '../base/json-text.ts'
import { defineFormat } from './format.ts'

export const rawBase64 = defineFormat({
  name: 'rawBase64',
  description: 'The body as received, in base64; must be the only format of the request.',
  needs: 'bytes',
  standsAlone: true,
  options: {},
  output: { rawBase64: z.string().describe('The body as received, in base64.') },
  takesFile: () => true,
  render(_, __, { page }) {
    const bytes = page.text === undefined ? page.bytes : Buffer.from(page.text)
    const isShort = bytes.length <= 48 * 1024
    return { rawBase64: isShort ? Buffer.from(bytes).toString('base64') : JsonText.ofBase64(bytes) }
  },
})
