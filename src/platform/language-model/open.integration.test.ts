import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startModelServer } from '../../../test/servers/model-server.ts'
import { openLanguageModel } from './open.ts'

const prompt = { system: '', text: 'Where is the harbour?' }
const signal = AbortSignal.timeout(60_000)
const usual = {
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

describe('the configured model', () => {
  it('is a script where the address names a file', async () => {
    const url = scriptFile(JSON.stringify([{ turns: [{ text: 'In the south.' }] }]))
    const model = openLanguageModel({ ...usual, url })
    expect((await model.write(prompt, signal)).text).toBe('In the south.')
  })

  it('stops the start where the file is no script', () => {
    const url = scriptFile('[{"turns": [{"says": "x"}]}]')
    expect(() => openLanguageModel({ ...usual, url })).toThrow(/not a valid script/)
  })

  it('is the endpoint that the address names, and a fifth of a call is for its answer', async () => {
    const server = await startModelServer({ body: { choices: [{ message: { content: 'In the north.' } }] } })
    onTestFinished(() => server.stop())
    const model = openLanguageModel({ ...usual, url: `${server.url}/` })
    expect((await model.write(prompt, signal)).text).toBe('In the north.')
    expect(model.inputTokens).toBe(8000)
    expect(server.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: 'Bearer word' }, body: { max_tokens: 2000 } },
    ])
  })

  it.each(['anthropic', 'google'])('needs no address with the protocol %s', (protocol) => {
    expect(openLanguageModel({ ...usual, protocol }).name).toBe('small')
  })

  it('needs an address with the protocol of many servers, and a protocol that there is', () => {
    expect(() => openLanguageModel(usual)).toThrow(/MODEL_URL/)
    expect(() => openLanguageModel({ ...usual, protocol: 'morse' })).toThrow(/anthropic, google, openai/)
  })
})
