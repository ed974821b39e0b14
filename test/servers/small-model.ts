import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFreePort } from './free-port.ts'
import { startGuardedServer } from './guarded-server.ts'

const root = join(import.meta.dirname, '..', '..')
const prepared = join(root, '.prepared', 'python-model', 'bin', 'python3')
/** Python with the model. The setup passes its path; without it, the default path of the setup is used. */
const python = process.env.TEST_MODEL_PYTHON_PATH ?? (existsSync(prepared) ? prepared : undefined)

export interface SmallModel {
  /** Base URL of its chat completions. */
  url: string
  key: string
  /** Size of the context in tokens. */
  context: number
  stop(): Promise<void>
}

const context = 2048
const key = 'key-of-the-small-model'

/**
 * Starts a small real language model: SmolLM2 with 135 million weights, served by llama.cpp in a separate process.
 */
export function startSmallModel(): Promise<SmallModel> {
  if (python === undefined)
    throw new Error(
      'There is no language model here. `npm run test:model` installs it and says why it cannot.',
    )
  return onFreePort(async (port) => {
    const server = startGuardedServer({
      folder: mkdtempSync(join(tmpdir(), 'winnow-small-model-')),
      before: [],
      server: {
        program: python,
        arguments: [join(root, 'test', 'python', 'small_model.py'), JSON.stringify({ port, key, context })],
      },
      stopSignal: 'SIGTERM',
    })
    const baseUrl = `http://127.0.0.1:${port}`
    await server.waitUntilReady(async () => (await fetch(`${baseUrl}/health`)).ok || undefined)
    return { url: `${baseUrl}/v1`, key, context, stop: () => server.stop() }
  })
}
