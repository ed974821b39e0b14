import type { TestProject } from 'vitest/node'
import type { Deployment } from '../deployment.ts'
import { createTeams } from '../teams.ts'

export interface ProvidedDeployment extends Omit<Deployment, 'stop'> {
  /** The key of each test file, by its path: teams of their own, so that no file sees what another has done. */
  keys: Record<string, string>
}

declare module 'vitest' {
  interface ProvidedContext {
    deployment: ProvidedDeployment
  }
}

/** One deployment for all end-to-end files of a project; its addresses go to the tests, its end to the runner. */
export async function provideDeployment(project: TestProject, deploy: () => Promise<Deployment>) {
  const [{ stop, ...deployment }, { testFiles }] = await Promise.all([deploy(), project.globTestFiles()])
  const keys = await createTeams(deployment.environment, testFiles)
  project.provide('deployment', { ...deployment, keys })
  return stop
}
