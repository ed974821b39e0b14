import type { TestProject } from 'vitest/node'
import { deployOnPostgres } from '../deployment.ts'
import { provideDeployment } from './provide.ts'

export const setup = (project: TestProject) => provideDeployment(project, deployOnPostgres)
