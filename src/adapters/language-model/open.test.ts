import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLanguageModel } from './open.ts'

const prompt = { system: '', text: 'Where is the harbour?' }
const signal = AbortSignal.timeout(60_000)

function scriptFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-script-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'script.json'), text)
  return `script:${join(folder, 'script.json')}`
}

describe('the configured model', () => {
  it('is a script where the address names a file', async () => {
    const url = scriptFile(JSON.stringify([{ turns: [{ text: 'In the south.' }] }]))
    const model = openLanguageModel({ url, key: '', name: 'script' })
    expect((await model.write(prompt, signal)).text).toBe('In the south.')
  })

  it('stops the start where the file is no script', () => {
    const url = scriptFile('[{"turns": [{"says": "x"}]}]')
    expect(() => openLanguageModel({ url, key: '', name: 'script' })).toThrow(/not a valid script/)
  })

  it('is the endpoint that the address names', async () => {
    const server = new LLMock({ port: 0, logLevel: 'silent' })
    onTestFinished(() => server.stop())
    server.onMessage('harbour', { content: 'In the north.' })
    const url = `${await server.start()}/v1`
    const model = openLanguageModel({ url, key: 'word', name: 'small' })
    expect((await model.write(prompt, signal)).text).toBe('In the north.')
  })
})
