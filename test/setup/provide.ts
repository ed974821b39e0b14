import type { TestProject } from 'vitest/node'
import type { Deployment } from '../deployment.ts'
import { createTeams } from '../teams.ts'

export interface ProvidedDeployment extends Omit<Deployment, 'stop'> {
  /** Key of each test file, by its path. Each file has its own team, so that no file sees data of another file. */
  keys: Record<string, string>
}

declare module 'vitest' {
  interface ProvidedContext {
    deployment: ProvidedDeployment
  }
}

/**
 * Starts one deployment for all end-to-end files of a project. Provides it to the tests, and returns its stop
 * function to the runner.
 */
export async function provideDeployment(project: TestProject, deploy: () => Promise<Deployment>) {
  const [{ stop, ...deployment }, { testFiles }] = await Promise.all([deploy(), project.globTestFiles()])
  const keys = await createTeams(deployment.environment, testFiles)
  project.provide('deployment', { ...deployment, keys })
  return stop
}
