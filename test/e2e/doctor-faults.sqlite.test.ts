import { describe, expect, inject, it } from 'vitest'
import { runCommand, temporaryFolder } from '../service.ts'

describe('npm run doctor', () => {
  it('fails and names the broken part', async () => {
    const folder = temporaryFolder()
    const { environment } = inject('deployment')
    const bucket = {
      BLOBS_URL: 's3://bucket?endpoint=http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    }
    const { code, stdout } = await runCommand(['doctor'], {
      ...environment,
      DATA_DIR: folder.path,
      ...bucket,
    })
    expect(stdout).toMatch(/✗ blobs/)
    expect(code).toBe(1)
    folder.remove()
  })

  it('reports a browser that does not start as broken, and an absent browser as missing', async () => {
    const { environment } = inject('deployment')
    const broken = await runCommand(['doctor'], { ...environment, CHROMIUM_PATH: '/bin/false' })
    expect(broken.stdout).toMatch(/✗ browser /)
    expect(broken.code).toBe(1)
    const missing = await runCommand(['doctor'], { ...environment, CHROMIUM_PATH: '' })
    expect(missing.stdout).toMatch(/· browser +not found; set CHROMIUM_PATH/)
    expect(missing.code).toBe(0)
  })
})
