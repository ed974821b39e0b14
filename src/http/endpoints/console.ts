import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

export const postConsoleKey = defineEndpoint({
  method: 'POST',
  path: '/v2/console/key',
  summary: 'Change the code of the link that the start prints into the key of this machine, once',
  tag: 'Operator',
  access: 'machine',
  body: z.strictObject({
    code: text('MAX_CONSOLE_CODE_LENGTH').describe('What follows `#code=` in the link.'),
  }),
  response: envelope({ key: z.string().describe('The key of the file api-key in DATA_DIR.') }),
  errors: ['CONSOLE_CODE_INVALID', 'CONSOLE_KEY_NOT_FOUND'],
  async handle({ app, body }) {
    return ok({ key: await app.consoleKey.exchange(body.code) })
  },
})
