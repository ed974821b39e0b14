import type { TestProject } from 'vitest/node'
import type { Deployment } from '../deployment.ts'

export type ProvidedDeployment = Omit<Deployment, 'stop'>

declare module 'vitest' {
  interface ProvidedContext {
    deployment: ProvidedDeployment
  }
}

/** One deployment for all end-to-end files of a project; its addresses go to the tests, its end to the runner. */
export async function provideDeployment(project: TestProject, deploy: () => Promise<Deployment>) {
  const { stop, ...deployment } = await deploy()
  project.provide('deployment', deployment)
  return stop
}
