// The queries of the document on kefir, as written there; what is a literal in
// it is the default here.

// 1. List User's Active Batches
export function activeBatches(tableName, userId = '123') {
  // Query main table
  const params = {
    TableName: tableName,
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
    FilterExpression: "#status = :status",
    ExpressionAttributeNames: {
      "#status": "status",
    },
    ExpressionAttributeValues: {
      ":pk": `USER#${userId}`,
      ":sk": "BATCH#",
      ":status": "active",
    },
  };
  return params;
}

// 2. Get Batch with Events and Reminders
export function batchWithEventsAndReminders(tableName, batchId = 'abc') {
  // Query 1: Get batch
  const batchParams = {
    TableName: tableName,
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :pk",
    ExpressionAttributeValues: {
      ":pk": `BATCH#${batchId}`,
    },
  };

  // Query 2: Get events
  const eventsParams = {
    TableName: tableName,
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
    ExpressionAttributeValues: {
      ":pk": `BATCH#${batchId}`,
      ":sk": "EVENT#",
    },
    ScanIndexForward: false, // Newest first
    Limit: 20,
  };

  // Query 3: Get reminders
  const remindersParams = {
    TableName: tableName,
    KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
    ExpressionAttributeValues: {
      ":pk": `BATCH#${batchId}`,
      ":sk": "REMINDER#",
    },
  };
  return { batchParams, eventsParams, remindersParams };
}

// 3. Get User's Upcoming Reminders
export function upcomingReminders(tableName, userId = '123') {
  const params = {
    TableName: tableName,
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :pk AND GSI1SK BETWEEN :start AND :end",
    ExpressionAttributeValues: {
      ":pk": `USER#${userId}`,
      ":start": `DUE#${new Date().toISOString()}`,
      ":end": `DUE#${new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString()}`,
    },
  };
  return params;
}

// 4. Export All User Data (CSV)
export function allUserData(tableName, userId = '123') {
  // Query all items for user
  const params = {
    TableName: tableName,
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: {
      ":pk": `USER#${userId}`,
    },
  };
  return params;
}

// The access patterns that the document gives as key conditions only.
// They are refused by Amazon's service; see the design's README.
export const batchesByStatus = (tableName, status) => ({
  TableName: tableName,
  IndexName: "GSI1",
  KeyConditionExpression: "begins_with(GSI1PK, :batch) AND begins_with(GSI1SK, :status)",
  ExpressionAttributeValues: { ":batch": "BATCH#", ":status": `STATUS#${status}` },
});

export const remindersAfter = (tableName, userId, now) => ({
  TableName: tableName,
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :user AND begins_with(GSI1SK, :due) AND GSI1SK > :now",
  ExpressionAttributeValues: { ":user": `USER#${userId}`, ":due": "DUE#", ":now": `DUE#${now}` },
});

export const dueReminders = (tableName, now) => ({
  TableName: tableName,
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1SK < :now",
  ExpressionAttributeValues: { ":now": `DUE#${now}` },
});
