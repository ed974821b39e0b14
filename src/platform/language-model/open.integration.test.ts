import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../../../test/servers/model-server.ts'
import { openLanguageModel } from './open.ts'

const prompt = { system: '', text: 'Where is the harbour?' }
const signal = AbortSignal.timeout(60_000)
const defaults = {
  protocol: 'openai',
  url: undefined,
  key: 'word',
  name: 'small',
  timeoutMs: 5000,
  maxTokensPerCall: 10_000,
}

function scriptFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-script-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'script.json'), text)
  return `script:${join(folder, 'script.json')}`
}

describe('openLanguageModel', () => {
  it('opens a script if the URL names a file', async () => {
    const url = scriptFile(JSON.stringify([{ turns: [{ text: 'In the south.' }] }]))
    const model = openLanguageModel({ ...defaults, url })
    expect((await model.write(prompt, signal)).text).toBe('In the south.')
  })

  it('throws if the file is not a valid script', () => {
    const url = scriptFile('[{"turns": [{"says": "x"}]}]')
    expect(() => openLanguageModel({ ...defaults, url })).toThrow(/not a valid script/)
  })

  it('calls the server at the URL, and reserves a fifth of the tokens for the answer', async () => {
    const server = await startModelServer({ body: { choices: [{ message: { content: 'In the north.' } }] } })
    onTestFinished(() => server.stop())
    const model = openLanguageModel({ ...defaults, url: `${server.url}/` })
    expect((await model.write(prompt, signal)).text).toBe('In the north.')
    expect(model.inputTokens).toBe(8000)
    expect(server.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: 'Bearer word' }, body: { max_tokens: 2000 } },
    ])
  })

  it.each(['anthropic', 'google'])('needs no URL for the protocol %s', (protocol) => {
    expect(openLanguageModel({ ...defaults, protocol }).name).toBe('small')
  })

  it('throws for the protocol openai without a URL, and for an unknown protocol', () => {
    expect(() => openLanguageModel(defaults)).toThrow(/MODEL_URL/)
    expect(() => openLanguageModel({ ...defaults, protocol: 'morse' })).toThrow(/anthropic, google, openai/)
  })
})
