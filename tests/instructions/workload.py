"""The data set and the requests whose instructions are counted.

Everything is fixed down to the byte, and nothing that a request meets depends on the requests before it: numbers
in keys are padded, the stock of a product keeps its six digits without a zero at the end, and every write has an
item of its own kind and number, loaded beforehand where there is one to replace, to change or to delete.
"""

import json
import pathlib

TABLE = "single-table"
EVENTS_PER_BATCH = 100
BATCHES = 20
EVENTS = BATCHES * EVENTS_PER_BATCH
ITEM_JSON_BYTES = 450
STOCK = 555555
EXPIRY_SECONDS = 2_500_000_000

# Requests whose instructions are counted, and those before them that fill caches and buffers. Where an operation only
# reads, both go through the same items.
COUNTED = 250
WARMING = 250
WRITES = WARMING + COUNTED


def number(n):
    return f"{n:06d}"


def text(value):
    return {"S": value}


def filled(item):
    """The item with notes that bring it to its size as JSON."""
    missing = ITEM_JSON_BYTES - len(compact({**item, "notes": text("")}))
    words = "strain the grains, keep the jar warm, taste in the morning, bottle it. "
    return {**item, "notes": text((words * 10)[:missing])}


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def event_key(n):
    return {"PK": text(f"BATCH#{number(n // EVENTS_PER_BATCH)}"), "SK": text(f"EVENT#{number(n % EVENTS_PER_BATCH)}")}


def event(n):
    return filled({**event_key(n), "GSI1PK": text(f"EVENT#{number(n)}"), "GSI1SK": text("METADATA"),
                   "entityType": text("EVENT"), "createdAt": text("2026-01-01T00:00:00Z"),
                   "temperature": {"N": "21.5"}, "visible": {"BOOL": True}})


def product_key(n):
    return {"PK": text(f"PRODUCT#{number(n)}"), "SK": text("METADATA")}


def product(n):
    return filled({**product_key(n), "GSI1PK": text("PRODUCTS"), "GSI1SK": text(f"PRODUCT#{number(n)}"),
                   "entityType": text("PRODUCT"), "stock": {"N": str(STOCK)}, "price": {"N": "12.25"}})


def note(n, owner, **more):
    """`owner` is part of the index's key: a put with another one moves the index entry."""
    return filled({"PK": text(f"NOTE#{number(n)}"), "SK": text("METADATA"), "GSI1PK": text(f"OWNER#{number(owner)}"),
                   "GSI1SK": text(f"NOTE#{number(n)}"), "entityType": text("NOTE"), "owner": text(number(owner)), **more})


def expiring_note(n, owner):
    """One whose time changes with its owner, and does not come while anyone counts."""
    return note(n, owner, expires={"N": str(EXPIRY_SECONDS + 7 * owner)})


def cart_line_key(n):
    return {"PK": text(f"USER#{number(n)}"), "SK": text("CART#000001")}


def cart_line(n):
    return {**cart_line_key(n), "product": text(f"PRODUCT#{number(n)}"), "quantity": {"N": "1"}}


CREATE_TABLE = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "GSI1",
        "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
    "BillingMode": "PAY_PER_REQUEST",
}


def items():
    yield from (event(n) for n in range(EVENTS))
    yield from (product(n) for n in range(WRITES))
    yield from (note(n, 0) for n in range(WRITES))
    yield from (cart_line(n) for n in range(WRITES))


def load():
    """The requests that make the table and fill it."""
    yield "CreateTable", CREATE_TABLE
    everything = list(items())
    for first in range(0, len(everything), 25):
        puts = [{"PutRequest": {"Item": item}} for item in everything[first:first + 25]]
        yield "BatchWriteItem", {"RequestItems": {TABLE: puts}}


def spread(n):
    """One event after the other, far from each other; again the same ones in the second half of the requests."""
    return n % COUNTED * 7919 % EVENTS


def get_item(n):
    return {"TableName": TABLE, "Key": event_key(spread(n))}


def get_other_item(n):
    """Two neighbours of every eight events, first all of the one kind, then all of the other."""
    return {"TableName": TABLE, "Key": event_key(n % COUNTED * 8 + n // COUNTED * 4)}


def query_newest(n):
    return {"TableName": TABLE, "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
            "ExpressionAttributeValues": {":pk": event_key(spread(n))["PK"], ":prefix": text("EVENT#")},
            "ScanIndexForward": False, "Limit": 20}


def query_index(n):
    return {"TableName": TABLE, "IndexName": "GSI1", "KeyConditionExpression": "GSI1PK = :pk",
            "ExpressionAttributeValues": {":pk": event(spread(n))["GSI1PK"]}}


def batch_get(n):
    keys = [event_key((spread(n) + part * EVENTS // 10) % EVENTS) for part in range(10)]
    return {"RequestItems": {TABLE: {"Keys": keys}}}


def take_one(n):
    return {"TableName": TABLE, "Key": product_key(n), "UpdateExpression": "SET stock = stock - :quantity",
            "ConditionExpression": "stock >= :quantity", "ExpressionAttributeValues": {":quantity": {"N": "1"}}}


def put_item(n):
    return {"TableName": TABLE, "Item": note(n, n + 1)}


def put_item_without_index_keys(n):
    """What put_item stores, for a server that derives the keys of the index."""
    item = note(n, n + 1)
    return {"TableName": TABLE, "Item": {name: item[name] for name in item if not name.startswith("GSI1")}}


def put_expiring_item(n):
    return {"TableName": TABLE, "Item": expiring_note(n, n + 1)}


def place_order(n):
    """An online store's order, as an SDK sends it: with a token."""
    order, user = text(f"ORDER#{number(n)}"), text(f"USER#{number(n)}")
    money = {"total": {"N": "35.5"}, "status": text("pending")}

    def put(item, **more):
        return {"Put": {"TableName": TABLE, "Item": item, **more}}

    return {
        "ClientRequestToken": f"00000000-0000-4000-8000-000000{number(n)}",
        "TransactItems": [
            put({"PK": order, "SK": text("METADATA"), "user": user, **money},
                ConditionExpression="attribute_not_exists(PK)"),
            put({"PK": user, "SK": order, "GSI1PK": order, "GSI1SK": text("METADATA"), **money}),
            put({"PK": order, "SK": text("ITEM#000001"), "product": text("Ground coffee"), "quantity": {"N": "1"}}),
            {"Delete": {"TableName": TABLE, "Key": cart_line_key(n)}},
            {"Update": take_one(n)},
        ],
    }


DESIGN = ("--design", str(pathlib.Path(__file__).with_name("design.yaml")))

STREAM = ("UpdateTable", {"TableName": TABLE, "StreamSpecification": {"StreamEnabled": True,
                                                                      "StreamViewType": "NEW_AND_OLD_IMAGES"}})
RECOVERY = ("UpdateContinuousBackups", {"TableName": TABLE, "PointInTimeRecoverySpecification": {
    "PointInTimeRecoveryEnabled": True}})

EXPIRING = [("PutItem", {"TableName": TABLE, "Item": expiring_note(n, 0)}) for n in range(WRITES)]
TIME_TO_LIVE = ("UpdateTimeToLive", {"TableName": TABLE, "TimeToLiveSpecification": {"AttributeName": "expires",
                                                                                     "Enabled": True}})

# What is counted: its name, DynamoDB's name of the operation, its nth request, whether an answer is right, options of
# the server, and settings that are made before.
OPERATIONS = [
    ("GetItem", "GetItem", get_item, lambda answer: "Item" in answer),
    # Not read before, but the blocks of the table file that hold them were.
    ("GetItem, first read of it", "GetItem", get_other_item, lambda answer: "Item" in answer),
    ("Query, 20 newest", "Query", query_newest, lambda answer: answer["Count"] == 20),
    ("Query of an index, 1 item", "Query", query_index, lambda answer: answer["Count"] == 1),
    ("BatchGetItem of 10", "BatchGetItem", batch_get, lambda answer: len(answer["Responses"][TABLE]) == 10),
    ("UpdateItem, conditional", "UpdateItem", take_one, lambda answer: answer == {}),
    ("PutItem, index entry moves", "PutItem", put_item, lambda answer: answer == {}),
    ("PutItem under a design", "PutItem", put_item_without_index_keys, lambda answer: answer == {}, DESIGN),
    ("PutItem with a stream", "PutItem", put_item, lambda answer: answer == {}, (), [STREAM]),
    ("PutItem with recovery", "PutItem", put_item, lambda answer: answer == {}, (), [RECOVERY]),
    ("PutItem, an expiry that nobody keeps", "PutItem", put_expiring_item, lambda answer: answer == {}, (), EXPIRING),
    ("PutItem that moves an expiry", "PutItem", put_expiring_item, lambda answer: answer == {}, (),
     [*EXPIRING, TIME_TO_LIVE]),
    ("TransactWriteItems of 5", "TransactWriteItems", place_order, lambda answer: answer == {}),
]
