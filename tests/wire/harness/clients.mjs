// The AWS SDK's clients, set up for a server of ours.

import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';

export const REGION = 'us-east-1';
export const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

// Retries are off: a test must see the first answer.
export function connect(endpoint, settings = {}) {
  return new DynamoDB({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1, ...settings });
}

export function connectStreams(endpoint) {
  return new DynamoDBStreams({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
}

export function connectCloudWatch(endpoint, settings = {}) {
  return new CloudWatch({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1, ...settings });
}

export function connectDocuments(client) {
  return DynamoDBDocument.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
