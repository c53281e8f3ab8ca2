// Everyone who takes part, in the order of the report's columns. What a contestant's module gives:
//
//   id, name, note    what it is called, and in what mode it runs
//   kind              'database' (speaks DynamoDB), or 'limit' (shows what the machine could do)
//   missing()         why it cannot run here, or undefined
//   version()         what the report says of it
//   command({ ports, folder, answers })   { file, args, cwd } of its server, for loopback and these ports
//
// and where it is no database: supports(operation), answers(port), load(port, counts), check(port, counts),
// measure(port, counts, { connections, seconds, meter }).

import { dynalite } from './dynalite.mjs';
import { dynamodbLocal } from './dynamodb_local.mjs';
import { dynoxide } from './dynoxide.mjs';
import { nginx } from './nginx.mjs';
import { redis } from './redis.mjs';
import { durable, memory } from './taula.mjs';

export const CONTESTANTS = [durable, memory, dynamodbLocal, dynalite, dynoxide, nginx, redis];
