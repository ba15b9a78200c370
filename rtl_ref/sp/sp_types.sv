// What the parts of the SP share: the control fields of an operation and the records between its pipeline segments.
//
// The caller decodes an instruction into control fields once. A field that an operation does not use is ignored.
package sp_types;
  typedef enum logic [4:0] {
    // Moves. x, y and z are source_0, source_1 and source_2.
    MOVE = 5'd0,                // value = x
    FLAGS_TO_VALUE = 5'd1,      // value = flags_in
    VALUE_TO_FLAGS = 5'd2,      // flags = x
    ADDRESS_TO_VALUE = 5'd3,    // value = address_in
    SHIFT_TO_ADDRESS = 5'd4,    // address = x << y[3:0]
    ADD_TO_ADDRESS = 5'd5,      // address = address_in + y
    // Integers
    ADD = 5'd6,                 // x and y, see `combine`
    MULTIPLY = 5'd7,            // x * y, see `product`
    MULTIPLY_ADD = 5'd8,        // x * y and z, see `product` and `combine`
    DISTANCE_ADD = 5'd9,        // |x - y| + z
    MINIMUM = 5'd10,
    MAXIMUM = 5'd11,
    SET = 5'd12,                // all ones if the relation of x to y is in `compare`, else 0
    SHIFT_LEFT = 5'd13,         // x << y
    SHIFT_RIGHT = 5'd14,        // x >> y, arithmetic if is_signed
    BITWISE = 5'd15,            // see `bitwise`
    // Single precision
    FLOAT_ADD = 5'd16,          // x + y
    FLOAT_MULTIPLY = 5'd17,     // x * y
    FLOAT_MULTIPLY_ADD = 5'd18, // x * y, truncated, + z
    FLOAT_SET = 5'd19,
    FLOAT_MINIMUM = 5'd20,
    FLOAT_MAXIMUM = 5'd21,
    FLOAT_SELECT = 5'd22,       // z >= 0 ? x : y
    REDUCE_SINE = 5'd23,        // range of x reduced for sin and cos
    REDUCE_POWER = 5'd24,       // and for ex2
    // Conversions of x
    INTEGER_TO_INTEGER = 5'd25,
    INTEGER_TO_FLOAT = 5'd26,
    FLOAT_TO_INTEGER = 5'd27,
    FLOAT_TO_FLOAT = 5'd28
  } operation_code;

  // Of two numbers p and q.
  typedef enum logic [1:0] {
    SUM = 2'd0,                 // p + q
    DIFFERENCE = 2'd1,          // p - q
    REVERSED_DIFFERENCE = 2'd2, // q - p
    SUM_WITH_CARRY = 2'd3       // p + q + C of flags_in
  } combination;

  typedef enum logic [1:0] {
    BITWISE_AND = 2'd0,
    BITWISE_OR = 2'd1,
    BITWISE_XOR = 2'd2,
    BITWISE_SECOND = 2'd3  // y
  } bitwise_function;

  typedef enum logic [1:0] {
    PRODUCT_16 = 2'd0,      // 32 bits of 16 x 16
    PRODUCT_24_LOW = 2'd1,  // bits 31:0 of 24 x 24
    PRODUCT_24_HIGH = 2'd2  // bits 47:16 of 24 x 24
  } product_part;

  typedef enum logic [1:0] {
    NEAREST = 2'd0, // to even
    DOWN = 2'd1,
    UP = 2'd2,
    TO_ZERO = 2'd3
  } rounding_mode;

  typedef enum logic [1:0] {
    BITS_8 = 2'd0,
    BITS_16 = 2'd1, // of a float: half precision
    BITS_32 = 2'd2
  } operand_size;

  typedef struct packed {
    operation_code   operation;
    logic            narrow;         // 16 bits: a move's result; x, y and the result of other operations, but only x and y
                                     // of DISTANCE_ADD; the register for the result of a conversion to an integer
    logic            is_signed;      // operands; conversion to integer: the result
    logic            y_signed;       // product: factor y, where is_signed is factor x
    logic            source_signed;  // conversion from integer
    logic            saturate;       // integer: to the range; float: to [0, 1]
    logic [2:0]      negate;         // float x, y, z; conversion: x
    logic [1:0]      absolute;       // float x, y, before negate; conversion: x
    logic [1:0]      invert;         // bitwise x, y
    combination      combine;
    bitwise_function bitwise;
    product_part     product;
    logic [3:0]      compare;        // less, equal, greater, unordered from bit 0 on
    rounding_mode    rounding;
    logic            integral;       // conversion between floats: rounds to an integral value
    operand_size     source_size;    // conversion, range reduction
    operand_size     result_size;    // conversion
  } control_fields;

  typedef struct packed {
    logic [31:0] value;
    logic [3:0]  flags;            // O, C, S, Z
    logic [15:0] address;
  } lane_result;

  // A single whose denormals are zeros.
  typedef struct packed {
    logic        sign;
    logic [7:0]  exponent;
    logic [23:0] significand;      // with the hidden bit; 0 for a zero
    logic        zero;
    logic        infinite;
    logic        nan;
  } float_operand;

  // Two numbers to add. Exponents are exponent fields plus 128, so that the one of a product has no sign; 0 for a zero.
  typedef struct packed {
    logic        a_sign;
    logic [8:0]  a_exponent;
    logic [26:0] a_significand;    // 24 bits, guard, round, sticky
    logic        b_sign;
    logic [8:0]  b_exponent;
    logic [23:0] b_significand;
    logic        product_alone;    // a is a whole product, b is zero: rounded without a lower limit of the exponent
    logic        input_nan;
    logic        nan;              // the result is a NaN
    logic        infinite;         // the result is an infinity of this sign
    logic        infinite_sign;
  } float_addends;

  typedef struct packed {
    logic        sign;
    logic        zero_sign;        // of the result if that is zero
    logic [8:0]  exponent;         // of bit 26
    logic [27:0] significand;
    logic        product_alone;
    logic        input_nan;
    logic        nan;
    logic        infinite;
    logic        infinite_sign;
  } float_sum;

  typedef struct packed {
    logic        sign;
    logic        zero_sign;
    logic [8:0]  exponent;         // of bit 23; without a bit 23 the value is below the normal range
    logic [23:0] significand;
    logic        guard;
    logic        sticky;
    logic        input_nan;
    logic        nan;
    logic        infinite;
    logic        infinite_sign;
  } float_normal;

  typedef struct packed {
    logic [31:0] a;
    logic [31:0] b;
    logic        carry;
  } integer_addends;

  // What a conversion starts from: the magnitude of an integer, or a single.
  typedef struct packed {
    logic        negative;         // after absolute and negate
    logic [31:0] magnitude;
    logic [31:0] single;
    logic [31:0] scaled_product;   // of the reduction for sin and cos
  } conversion_source;

  typedef struct packed {
    logic        negative;
    logic        keep_single;      // the single is the result, apart from half precision; else the integer is
    logic [31:0] single;
    logic [31:0] whole;            // an integer to be made a float
  } conversion_step;
endpackage
