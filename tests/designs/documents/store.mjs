// The code of the document on the store, as written there: what is between the
// braces of each function. Its variables are the functions' parameters.

import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';

// 1.1 Obtener usuario por ID
export async function userById({ docClient, TABLE_NAME, userId }) {
  const result = await docClient.send(
    new GetCommand({
      TableName: TABLE_NAME,
      Key: {
        PK: `USER#${userId}`,
        SK: "METADATA",
      },
    }),
  );
  return result;
}

// 1.2 Buscar usuario por email (GSI2)
export async function userByEmail({ docClient, TABLE_NAME, email }) {
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      IndexName: "GSI2",
      KeyConditionExpression: "GSI2PK = :email",
      ExpressionAttributeValues: {
        ":email": `EMAIL#${email}`,
      },
    }),
  );
  return result;
}

// 2.1 Obtener todos los productos activos
export async function activeProducts({ docClient, TABLE_NAME }) {
  const result = await docClient.send(
    new ScanCommand({
      TableName: TABLE_NAME,
      FilterExpression:
        "begins_with(PK, :pk) AND SK = :sk AND is_active = :active",
      ExpressionAttributeValues: {
        ":pk": "PRODUCT#",
        ":sk": "METADATA",
        ":active": true,
      },
    }),
  );
  return result;
}

// 2.2 Obtener productos por categoría (GSI1)
export async function productsOfCategory({ docClient, TABLE_NAME, categoryId }) {
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      IndexName: "GSI1",
      KeyConditionExpression: "GSI1PK = :category",
      FilterExpression: "is_active = :active",
      ExpressionAttributeValues: {
        ":category": `CATEGORY#${categoryId}`,
        ":active": true,
      },
    }),
  );
  return result;
}

// 2.3 Buscar producto por nombre (GSI2)
export async function productsByName({ docClient, TABLE_NAME, searchTerm }) {
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      IndexName: "GSI2",
      KeyConditionExpression: "begins_with(GSI2PK, :prefix)",
      ExpressionAttributeValues: {
        ":prefix": `PRODUCT#${searchTerm.toLowerCase()}`,
      },
    }),
  );
  return result;
}

// 3.1 Obtener todas las categorías
export async function categories({ docClient, TABLE_NAME }) {
  const result = await docClient.send(
    new ScanCommand({
      TableName: TABLE_NAME,
      FilterExpression: "begins_with(PK, :pk) AND SK = :sk",
      ExpressionAttributeValues: {
        ":pk": "CATEGORY#",
        ":sk": "METADATA",
      },
    }),
  );
  return result;
}

// 3.2 Obtener categoría por ID (slug)
export async function categoryById({ docClient, TABLE_NAME, categoryId }) {
  const result = await docClient.send(
    new GetCommand({
      TableName: TABLE_NAME,
      Key: {
        PK: `CATEGORY#${categoryId}`,
        SK: "METADATA",
      },
    }),
  );
  return result;
}

// 4.1 Obtener carrito del usuario
export async function cart({ docClient, TABLE_NAME, userId }) {
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
      ExpressionAttributeValues: {
        ":pk": `USER#${userId}`,
        ":sk": "CART#",
      },
    }),
  );
  return result;
}

// 4.2 Agregar producto al carrito
export async function addToCart({ docClient, TABLE_NAME, userId, productId }) {
  await docClient.send(
    new PutCommand({
      TableName: TABLE_NAME,
      Item: {
        PK: `USER#${userId}`,
        SK: `CART#${productId}`,
        GSI1PK: `PRODUCT#${productId}`, // Para queries inversas
        GSI1SK: `USER#${userId}`,
        quantity: 2,
        created_at: new Date().toISOString(),
      },
    }),
  );
}

// 4.3 Eliminar item del carrito
export async function removeFromCart({ docClient, TABLE_NAME, userId, productId }) {
  await docClient.send(
    new DeleteCommand({
      TableName: TABLE_NAME,
      Key: {
        PK: `USER#${userId}`,
        SK: `CART#${productId}`,
      },
    }),
  );
}

// 5.1 Crear orden (con items)
export async function createOrder({ docClient, TABLE_NAME, orderId, userId, productId, timestamp }) {
  await docClient.send(
    new TransactWriteCommand({
      TransactItems: [
        // 1. Metadata de la orden
        {
          Put: {
            TableName: TABLE_NAME,
            Item: {
              PK: `ORDER#${orderId}`,
              SK: "METADATA",
              user_id: userId,
              total: 3500.0,
              status: "pending",
              created_at: timestamp,
            },
          },
        },
        // 2. Índice usuario → orden
        {
          Put: {
            TableName: TABLE_NAME,
            Item: {
              PK: `USER#${userId}`,
              SK: `ORDER#${orderId}`,
              GSI1PK: `ORDER#${orderId}`,
              GSI1SK: "METADATA",
              total: 3500.0,
              status: "pending",
            },
          },
        },
        // 3. Items de la orden
        {
          Put: {
            TableName: TABLE_NAME,
            Item: {
              PK: `ORDER#${orderId}`,
              SK: `ITEM#${productId}`,
              product_name: "Café Premium",
              quantity: 2,
              price: 1500,
              subtotal: 3000,
            },
          },
        },
        // 4. Eliminar del carrito
        {
          Delete: {
            TableName: TABLE_NAME,
            Key: {
              PK: `USER#${userId}`,
              SK: `CART#${productId}`,
            },
          },
        },
        // 5. Decrementar stock
        {
          Update: {
            TableName: TABLE_NAME,
            Key: {
              PK: `PRODUCT#${productId}`,
              SK: "METADATA",
            },
            UpdateExpression: "SET stock = stock - :qty",
            ConditionExpression: "stock >= :qty", // Falla si no hay stock
            ExpressionAttributeValues: {
              ":qty": 2,
            },
          },
        },
      ],
    }),
  );
}

// 5.2 Obtener órdenes del usuario
export async function ordersOfUser({ docClient, TABLE_NAME, userId }) {
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      KeyConditionExpression: "PK = :pk AND begins_with(SK, :sk)",
      ExpressionAttributeValues: {
        ":pk": `USER#${userId}`,
        ":sk": "ORDER#",
      },
    }),
  );
  return result;
}

// 5.3 Obtener orden completa (metadata + items)
export async function wholeOrder({ docClient, TABLE_NAME, orderId }) {
  // 1 sola query
  const result = await docClient.send(
    new QueryCommand({
      TableName: TABLE_NAME,
      KeyConditionExpression: "PK = :pk",
      ExpressionAttributeValues: {
        ":pk": `ORDER#${orderId}`,
      },
    }),
  );
  return result;
}

// Estrategias de ahorro: proyección selectiva
export async function projected({ docClient, TableName, Key }) {
  // ✅ Bien: Proyección selectiva
  const result = await docClient.send(
    new GetCommand({
      TableName,
      Key,
      ProjectionExpression: "id, #name, price",
      ExpressionAttributeNames: { "#name": "name" },
    }),
  );
  return result;
}

// Buenas prácticas 4: validar before write
export async function putIfAbsent({ docClient, TABLE_NAME, newItem }) {
  // Condiciones para evitar sobrescribir
  await docClient.send(
    new PutCommand({
      TableName: TABLE_NAME,
      Item: newItem,
      ConditionExpression: "attribute_not_exists(PK)", // Solo si no existe
    }),
  );
}

// Debugging y Monitoreo: CloudWatch Metrics
export const metricsCommand = `# Ver métricas de la tabla
aws cloudwatch get-metric-statistics \\
  --namespace AWS/DynamoDB \\
  --metric-name ConsumedReadCapacityUnits \\
  --dimensions Name=TableName,Value=catfecito-serverless-dev \\
  --start-time 2026-02-11T00:00:00Z \\
  --end-time 2026-02-11T23:59:59Z \\
  --period 3600 \\
  --statistics Sum`;
